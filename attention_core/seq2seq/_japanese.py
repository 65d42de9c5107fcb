"""English → Japanese in Latin letters: the time comes first, the verb last, and particles say who does what to whom.

Words are whole words ("tabemashita", ate), so every verb has one place in the source. The particles "wa" (topic), "o"
(object), "ni" (goal) and "ga" (what is liked) come from no word: English says it with the order. Nor has "desu" after
"suki" a place; after a noun or an adjective it comes from "am", "is" or "are", but as an auxiliary it is no content
word.

Nothing may stand only with one other thing, or attention may look at the one for the other: "yesterday" is not the only
time of the past, "will" is not the only word for tomorrow, and whatever is eaten or drunk is also bought and liked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from ._reading import word_reader
from ._task import Draft, Example, Task, often, pick

LONGEST = 10
Kind = Literal["thing", "animal", "food", "drink", "place", "person"]


class Noun(NamedTuple):
    """A noun; ``counted`` says whether it takes "a" and an adjective, as "water" does not."""

    english: str
    japanese: str
    written: str
    kind: Kind
    counted: bool = True
    english_plural: str = ""


class Pronoun(NamedTuple):
    """A pronoun with its "to be"; "you" is one person here, since several would be another word in Japanese."""

    english: str
    japanese: str
    written: str
    be: str
    several: bool


class Verb(NamedTuple):
    """A verb: what it is in English and Japanese now and in the past, and what it can go with."""

    english: str
    third: str
    past: str
    now: tuple[str, str]
    then: tuple[str, str]
    kinds: tuple[Kind, ...]


class Adjective(NamedTuple):
    """An adjective and what it is said of."""

    english: str
    japanese: str
    written: str
    said_of: tuple[Kind, ...]


class Time(NamedTuple):
    """A word for a day."""

    english: str
    japanese: str
    written: str


NOUNS = (
    Noun("student", "gakusei", "学生", "person", english_plural="students"),
    Noun("teacher", "sensei", "先生", "person", english_plural="teachers"),
    Noun("doctor", "isha", "医者", "person", english_plural="doctors"),
    Noun("cat", "neko", "猫", "animal"),
    Noun("dog", "inu", "犬", "animal"),
    Noun("book", "hon", "本", "thing"),
    Noun("car", "kuruma", "車", "thing"),
    Noun("apple", "ringo", "りんご", "food"),
    Noun("fish", "sakana", "魚", "food"),
    Noun("bread", "pan", "パン", "food", counted=False),
    Noun("water", "mizu", "水", "drink", counted=False),
    Noun("tea", "ocha", "お茶", "drink", counted=False),
    Noun("school", "gakkou", "学校", "place"),
    Noun("park", "kouen", "公園", "place"),
    Noun("station", "eki", "駅", "place"),
)
PRONOUNS = (
    Pronoun("I", "watashi", "私", "am", False),
    Pronoun("you", "anata", "あなた", "are", False),
    Pronoun("he", "kare", "彼", "is", False),
    Pronoun("she", "kanojo", "彼女", "is", False),
    Pronoun("we", "watashitachi", "私たち", "are", True),
    Pronoun("they", "karera", "彼ら", "are", True),
)
ADJECTIVES = (
    Adjective("red", "akai", "赤い", ("thing", "animal", "food")),
    Adjective("big", "ookii", "大きい", ("thing", "animal", "food", "place", "person")),
    Adjective("small", "chiisai", "小さい", ("thing", "animal", "food", "place", "person")),
    # Of what is alive, "old" is another word.
    Adjective("old", "furui", "古い", ("thing", "food", "place")),
)
TIMES = (Time("today", "kyou", "今日"), Time("yesterday", "kinou", "昨日"), Time("tomorrow", "ashita", "明日"))
DOING = (
    Verb("eat", "eats", "ate", ("tabemasu", "食べます"), ("tabemashita", "食べました"), ("food",)),
    Verb("drink", "drinks", "drank", ("nomimasu", "飲みます"), ("nomimashita", "飲みました"), ("drink",)),
    Verb("buy", "buys", "bought", ("kaimasu", "買います"), ("kaimashita", "買いました"), ("food", "drink", "thing")),
    Verb(
        "see", "sees", "saw", ("mimasu", "見ます"), ("mimashita", "見ました"), ("animal", "thing", "food", "place", "person")
    ),
)  # fmt: skip
MOVING = (
    Verb("go", "goes", "went", ("ikimasu", "行きます"), ("ikimashita", "行きました"), ("place",)),
    Verb("come", "comes", "came", ("kimasu", "来ます"), ("kimashita", "来ました"), ("place",)),
    Verb("return", "returns", "returned", ("kaerimasu", "帰ります"), ("kaerimashita", "帰りました"), ("place",)),
)
PARTICLES = {"wa": "は", "o": "を", "ni": "に", "ga": "が"}
LIKED, COPULA, NO_COPULA = "suki", "desu", "dewa-arimasen"
ENDINGS = {"n't": "not", "'m": "am", "'re": "are", "'s": "is", "'ll": "will"}
"""What people write short: "isn't", "I'm"."""
LABELS = {
    **{w.japanese: w.written for w in (*PRONOUNS, *NOUNS, *ADJECTIVES, *TIMES)},
    **{form: written for verb in (*DOING, *MOVING) for form, written in (verb.now, verb.then)},
    **PARTICLES,
    LIKED: "好き",
    COPULA: "です",
    NO_COPULA: "ではありません",
}
"""How each Japanese word is written."""

ENGLISH_WORDS = (
    *(pronoun.english for pronoun in PRONOUNS),
    *("am", "is", "are", "not", "a", "an", "the", "to", "will", "like", "likes"),
    *(noun.english for noun in NOUNS),
    *(noun.english_plural for noun in NOUNS if noun.english_plural),
    *(word.english for word in (*ADJECTIVES, *TIMES)),
    *(form for verb in (*DOING, *MOVING) for form in (verb.english, verb.third, verb.past)),
)
_SAID_OF = {noun.kind: tuple(a for a in ADJECTIVES if noun.kind in a.said_of) for noun in NOUNS}
_COUNTED = tuple(noun for noun in NOUNS if noun.counted)
_ALIVE = tuple(noun for noun in NOUNS if noun.kind in ("person", "animal"))
_PERSONS = tuple(noun for noun in NOUNS if noun.kind == "person")
_LIKEABLE = tuple(noun for noun in NOUNS if noun.kind != "person")


# Parts of a sentence. English is read first, all of it; each part returns what Japanese will say, with its places.
Said = list[tuple[str, int]]


def _say(draft: Draft, said: Said) -> None:
    for word, place in said:
        draft.say(word, place)


def _particle(draft: Draft, particle: str) -> None:
    draft.say(particle, content=False)


def _noun_phrase(draft: Draft, rng: np.random.Generator, noun: Noun, *, adjective: float, definite: float) -> Said:
    """“the red car” → “akai kuruma”, “tea” → “ocha”."""
    described = [pick(rng, _SAID_OF[noun.kind])] if noun.counted and often(rng, adjective) else []
    next_word = (described[0] if described else noun).english
    if often(rng, definite):
        draft.read("the")
    elif noun.counted:
        draft.read("an" if next_word[0] in "aeiou" else "a")
    said = [(word.japanese, draft.read(word.english)) for word in described]
    return [*said, (noun.japanese, draft.read(noun.english))]


def _subject(draft: Draft, rng: np.random.Generator, nouns: Sequence[Noun], chance: float) -> tuple[Said, Pronoun | Noun]:
    """A pronoun, or with this chance a noun."""
    if often(rng, chance):
        noun = pick(rng, nouns)
        return _noun_phrase(draft, rng, noun, adjective=0.35, definite=1.0), noun
    pronoun = pick(rng, PRONOUNS)
    return [(pronoun.japanese, draft.read(pronoun.english))], pronoun


def _others(nouns: Sequence[Noun], subject: Pronoun | Noun, kinds: Sequence[Kind]) -> list[Noun]:
    return [noun for noun in nouns if noun.kind in kinds and noun is not subject]


def _is_third(subject: Pronoun | Noun) -> bool:
    return isinstance(subject, Noun) or subject.be == "is"


# Sentences.


def _somebody_is(draft: Draft, rng: np.random.Generator) -> None:
    """“I am not a student” → “watashi wa gakusei dewa arimasen”."""
    pronoun = pick(rng, PRONOUNS)
    subject = draft.read(pronoun.english)
    be = draft.read(pronoun.be)
    negation = [draft.read("not")] if often(rng, 0.4) else []
    role = pick(rng, _PERSONS)
    if pronoun.several:
        said = [(role.japanese, draft.read(role.english_plural))]
    else:
        said = _noun_phrase(draft, rng, role, adjective=0.25, definite=0.0)
    draft.say(pronoun.japanese, subject)
    _particle(draft, "wa")
    _say(draft, said)
    draft.say(NO_COPULA if negation else COPULA, be, *negation, content=False)


def _something_is(draft: Draft, rng: np.random.Generator) -> None:
    """“the car is red” → “kuruma wa akai desu”."""
    noun = pick(rng, _COUNTED)
    said = _noun_phrase(draft, rng, noun, adjective=0.0, definite=1.0)
    be = draft.read("is")
    adjective = pick(rng, _SAID_OF[noun.kind])
    place = draft.read(adjective.english)
    _say(draft, said)
    _particle(draft, "wa")
    draft.say(adjective.japanese, place)
    draft.say(COPULA, be, content=False)


def _somebody_likes(draft: Draft, rng: np.random.Generator) -> None:
    """“she likes the dog” → “kanojo wa inu ga suki desu”."""
    said, subject = _subject(draft, rng, _ALIVE, 0.3)
    verb = draft.read("likes" if _is_third(subject) else "like")
    liked = pick(rng, [noun for noun in _LIKEABLE if noun is not subject])
    liked_said = _noun_phrase(draft, rng, liked, adjective=0.4, definite=0.7 if liked.counted else 0.3)
    _say(draft, said)
    _particle(draft, "wa")
    _say(draft, liked_said)
    _particle(draft, "ga")
    draft.say(LIKED, verb)
    draft.say(COPULA, content=False)


def _somebody_does(draft: Draft, rng: np.random.Generator) -> None:
    """“yesterday the cat ate a fish” → “kinou neko wa sakana o tabemashita”; the time may also come last in English."""
    moving = often(rng, 0.4)
    verb = pick(rng, MOVING if moving else DOING)
    tense = pick(rng, ("present", "past", "future"))
    time = _some_time(rng, tense)
    first = often(rng, 0.5)
    said_time = [(time.japanese, draft.read(time.english))] if time and first else []
    said, subject = _subject(draft, rng, _ALIVE, 0.4)
    if tense == "future":
        draft.read("will")
    form = verb.past if tense == "past" else verb.third if tense == "present" and _is_third(subject) else verb.english
    place = draft.read(form)
    if moving:
        draft.read("to")
    goal = pick(rng, _others(NOUNS, subject, verb.kinds))
    said_goal = _noun_phrase(draft, rng, goal, adjective=0.35, definite=(0.8 if moving else 0.5) if goal.counted else 0.3)
    if time and not first:
        said_time = [(time.japanese, draft.read(time.english))]
    _say(draft, said_time)
    _say(draft, said)
    _particle(draft, "wa")
    _say(draft, said_goal)
    _particle(draft, "ni" if moving else "o")
    draft.say((verb.then if tense == "past" else verb.now)[0], place)


def _some_time(rng: np.random.Generator, tense: str) -> Time | None:
    """The time, or None. Each tense comes without any, with "today", and with one other."""
    today, yesterday, tomorrow = TIMES
    return pick(rng, (None, today, yesterday if tense == "past" else tomorrow))


def draw(rng: np.random.Generator) -> Example:
    """Draw a sentence of 3 to 10 words."""
    kinds = (_somebody_is, _something_is, _somebody_likes, _somebody_does, _somebody_does, _somebody_does)
    while True:
        draft = Draft()
        pick(rng, kinds)(draft, rng)
        if len((example := draft.example()).source) <= LONGEST:
            return example


def write(words: Sequence[str]) -> str:
    """Join the words; "dewa-arimasen" is one token but two words."""
    return " ".join(words).replace("-", " ")


JAPANESE = Task(
    name="japanese",
    about="Translate short English into Japanese: the verb moves to the end, and particles say who does what.",
    source_words=ENGLISH_WORDS,
    target_words=tuple(LABELS),
    longest=LONGEST,
    draw=draw,
    read=word_reader(ENGLISH_WORDS, language="English", longest=LONGEST, example="I am a student", endings=ENDINGS),
    write=write,
    examples=(
        "I am a student",
        "The cat eats a fish",
        "Yesterday she went to the park",
        "We will buy a red car tomorrow",
        "They are not doctors",
        "He likes tea",
    ),
    labels={token: f"{written} {token.replace('-', ' ')}" for token, written in LABELS.items()},
)
"""English → Japanese in Latin letters; the labels add how it is written in Japan."""
