"""French → English: gender, elision, adjectives after the noun, "ne … pas", "je suis étudiant".

What the two languages do differently is what the map has to show:

- Most adjectives stand after the noun, a few before it: "une maison rouge", but "une petite maison".
- "not" comes from two words, "ne" and "pas"; its "do" or "does" from none.
- English puts an article before what somebody is: nothing in "je suis étudiant" says the "a" of "I am a student".

Nothing in the grammar may give a word away before the network has read it, or attention learns to look elsewhere. So
each noun comes with each verb, both genders with each person, and a sentence has no noun twice.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np

from ._french_words import (
    ADJECTIVES,
    BE,
    ELIDED,
    ENGLISH_BE,
    ENGLISH_WORDS,
    FRENCH_WORDS,
    NOUNS,
    PRONOUNS,
    ROLES,
    VERBS,
    Adjective,
    Noun,
    Pronoun,
    starts_with_vowel,
)
from ._reading import word_reader
from ._task import Draft, Example, Task, often, pick

LONGEST = 9
LONGEST_JOINED = 20
JOINTS = {"et": "and", "mais": "but"}
_ALIVE = tuple(noun for noun in NOUNS if noun.kind != "thing")
_SAID_OF = {kind: tuple(a for a in ADJECTIVES if kind in a.said_of) for kind in ("thing", "animal", "person")}
_FEELINGS = tuple(adjective for adjective in ADJECTIVES if adjective.plural[0])
"""What is also said of several."""


def article(next_word: str) -> str:
    """The English article before a word: "a" or "an"."""
    return "an" if next_word[0] in "aeiou" else "a"


# --- Parts of a sentence. Each one reads its French words and at once says its English ones. ---------------------------


def _noun_phrase(draft: Draft, noun: Noun, adjectives: Sequence[Adjective], *, definite: bool) -> None:
    """“le petit chat noir” → “the small black cat”."""
    before = [a for a in adjectives if a.before_noun]
    after = [a for a in adjectives if not a.before_noun]
    french = [*(a.form(noun.gender, noun.french) for a in before), noun.french, *(a.form(noun.gender) for a in after)]
    english = [*(a.english for a in before), *(a.english for a in after), noun.english]
    if not definite:
        determiner = "un" if noun.gender == "m" else "une"
    elif starts_with_vowel(french[0]):
        determiner = "l'"
    else:
        determiner = "le" if noun.gender == "m" else "la"
    of_article = draft.read(determiner)
    places = [draft.read(word) for word in french]
    of_noun = places.pop(len(before))
    draft.say("the" if definite else article(english[0]), of_article, content=False)
    for word, place in zip(english, [*places, of_noun], strict=True):
        draft.say(word, place)


def _some_adjectives(rng: np.random.Generator, noun: Noun, chances: tuple[float, float, float]) -> list[Adjective]:
    """None, one or two adjectives, with these chances; of two, one stands before the noun and one after."""
    chance = rng.random()
    number = 0 if chance < chances[0] else 1 if chance < chances[0] + chances[1] else 2
    fitting = _SAID_OF[noun.kind]
    if number == 2:
        return [pick(rng, [a for a in fitting if a.before_noun]), pick(rng, [a for a in fitting if not a.before_noun])]
    return [pick(rng, fitting) for _ in range(number)]


def _pronoun(draft: Draft, pronoun: Pronoun, next_word: str) -> None:
    elided = pronoun.french == "je" and starts_with_vowel(next_word)
    draft.say(pronoun.english, draft.read("j'" if elided else pronoun.french))


def _negated(draft: Draft, verb: str) -> tuple[int, int, int]:
    """Read "ne" verb "pas"; return the three positions."""
    return draft.read("n'" if starts_with_vowel(verb) else "ne"), draft.read(verb), draft.read("pas")


def _be(draft: Draft, person: int, negated: bool) -> None:
    """“est” → “is”, “n'est pas” → “is not”."""
    if negated:
        ne, verb, pas = _negated(draft, BE[person])
        draft.say(ENGLISH_BE[person], verb, content=False)
        draft.say("not", ne, pas)
    else:
        draft.say(ENGLISH_BE[person], draft.read(BE[person]), content=False)


# --- Sentences ----------------------------------------------------------------------------------------------------------


def _pronoun_is(draft: Draft, rng: np.random.Generator) -> None:
    """“je suis fatigué”, “elle n'est pas petite”, “nous ne sommes pas étudiants”, “tu es un bon médecin”."""
    pronoun, negated = pick(rng, PRONOUNS), often(rng, 0.5)
    gender, several = pick(rng, pronoun.genders), pronoun.person > 2
    _pronoun(draft, pronoun, "ne" if negated else BE[pronoun.person])
    _be(draft, pronoun.person, negated)
    if often(rng, 0.5):
        adjective = pick(rng, _FEELINGS if several else _SAID_OF["person"])
        form = adjective.plural_form(gender) if several else adjective.form(gender)
        draft.say(adjective.english, draft.read(form))
        return
    # Students first, and twice as often as others: they have a word of their own for each gender.
    fitting = [role for role in ROLES if gender in role.genders]
    role = pick(rng, [*fitting, fitting[0]])
    if several:
        draft.say(role.english_plural, draft.read(role.french_plural))
    elif gender == role.noun.gender and often(rng, 0.4):
        _noun_phrase(draft, role.noun, [pick(rng, _SAID_OF["person"])], definite=False)
    else:
        place = draft.read(role.noun.french)
        draft.say(article(role.noun.english), content=False)
        draft.say(role.noun.english, place)


def _thing_is(draft: Draft, rng: np.random.Generator) -> None:
    """“la petite maison n'est pas rouge”."""
    noun = pick(rng, NOUNS)
    adjectives = _some_adjectives(rng, noun, (0.15, 0.55, 0.3))
    _noun_phrase(draft, noun, adjectives, definite=True)
    _be(draft, 2, often(rng, 0.4))
    known = [adjective.about for adjective in adjectives]
    said = pick(rng, [a for a in _SAID_OF[noun.kind] if a.about not in known])
    draft.say(said.english, draft.read(said.form(noun.gender)))


def _somebody_does(draft: Draft, rng: np.random.Generator) -> None:
    """“j'aime le chat noir”, “un chien ne voit pas la maison”."""
    verb, negated = pick(rng, VERBS), often(rng, 0.3)
    noun = None
    if often(rng, 0.5):
        pronoun = pick(rng, PRONOUNS)
        person = pronoun.person
        _pronoun(draft, pronoun, "ne" if negated else verb.forms[person])
    else:
        noun, person = pick(rng, _ALIVE), 2
        _noun_phrase(draft, noun, _some_adjectives(rng, noun, (0.35, 0.45, 0.2)), definite=often(rng, 0.7))
    english = verb.english_third if person == 2 else verb.english
    if negated:
        ne, place, pas = _negated(draft, verb.forms[person])
        draft.say("does" if person == 2 else "do", content=False)
        draft.say("not", ne, pas)
        draft.say(verb.english, place)
    else:
        draft.say(english, draft.read(verb.forms[person]))
    seen = pick(rng, [other for other in NOUNS if other.kind in verb.objects and (not noun or other.english != noun.english)])
    # "je n'aime pas un chat" is no French.
    _noun_phrase(draft, seen, _some_adjectives(rng, seen, (0.15, 0.55, 0.3)), definite=negated or often(rng, 0.6))


def _phrase(draft: Draft, rng: np.random.Generator) -> None:
    """“une grande fleur blanche”."""
    noun = pick(rng, NOUNS)
    _noun_phrase(draft, noun, _some_adjectives(rng, noun, (0.0, 0.4, 0.6)), definite=often(rng, 0.5))


def _clause(draft: Draft, rng: np.random.Generator) -> None:
    """A sentence with a verb; the short ones with a pronoun are few, since a bag of words is enough for them."""
    pick(rng, (_pronoun_is, *[_thing_is] * 2, *[_somebody_does] * 4))(draft, rng)


def draw(rng: np.random.Generator) -> Example:
    """Draw a phrase or a sentence of 3 to 9 words."""
    while True:
        draft = Draft()
        (_phrase if often(rng, 0.1) else _clause)(draft, rng)
        if len((example := draft.example()).source) <= LONGEST:
            return example


def draw_joined(rng: np.random.Generator) -> Example:
    """Draw one to three sentences joined by "et" or "mais", of 3 to 20 words together."""
    while True:
        draft, clauses = Draft(), int(rng.integers(1, 4))
        for number in range(clauses):
            if number:
                joint = pick(rng, tuple(JOINTS))
                draft.say(JOINTS[joint], draft.read(joint), content=False)
            _clause(draft, rng)
        if len((example := draft.example()).source) <= LONGEST_JOINED:
            return example


# --- What is never trained ----------------------------------------------------------------------------------------------

_NOUN_OF = {noun.french: noun.english for noun in NOUNS}
_ADJECTIVE_OF = {form: a.english for a in ADJECTIVES for form in (a.masculine, a.feminine, a.before_vowel) if form}


def _one_pair_in_seven() -> frozenset[tuple[str, str]]:
    """Nouns with the adjectives that never stand beside them in training, by their English names.

    In the order of a checksum, so that the choice is nobody's, but at most two for each noun and for each adjective, so
    that none is rarely trained.
    """
    french: dict[tuple[str, str], str] = {}
    for noun in NOUNS:
        for adjective in _SAID_OF[noun.kind]:
            french.setdefault((noun.english, adjective.english), f"{noun.french} {adjective.masculine}")
    chosen: list[tuple[str, str]] = []
    for pair in sorted(french, key=lambda pair: zlib.crc32(french[pair].encode())):
        crowded = any([other[side] for other in chosen].count(pair[side]) >= 2 for side in (0, 1))
        if not crowded and len(chosen) < len(french) // 7:
            chosen.append(pair)
    return frozenset(chosen)


UNSEEN_PAIRS = _one_pair_in_seven()


def attributive_pairs(source: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs of a noun and an adjective that belong to it, by their English names.

    >>> attributive_pairs(["le", "petit", "chat", "noir", "est", "vieux"])
    [('cat', 'small'), ('cat', 'black')]
    """
    pairs = []
    for place, word in enumerate(source):
        if word in _NOUN_OF:
            beside = (*source[max(place - 1, 0) : place], *source[place + 1 : place + 2])
            pairs += [(_NOUN_OF[word], _ADJECTIVE_OF[other]) for other in beside if other in _ADJECTIVE_OF]
    return pairs


def holds_unseen_pair(example: Example) -> bool:
    """Tell whether a French example has a noun with an adjective that never stands beside it in training.

    Parameters
    ----------
    example : Example
        Of the task "french" or "long french".

    Returns
    -------
    bool
        Both words are trained, the adjective also after "est" with this noun, but the two never as one phrase.
    """
    return not UNSEEN_PAIRS.isdisjoint(attributive_pairs(example.source))


def holds_running_example(example: Example) -> bool:
    """Tell whether a French example has "je suis étudiant", the running example of the course, in it."""
    return " je suis étudiant " in f" {' '.join(example.source)} "


# --- The tasks ----------------------------------------------------------------------------------------------------------


def write(words: Sequence[str]) -> str:
    """Join English words and begin with a capital."""
    text = " ".join(words)
    return text[:1].upper() + text[1:]


FRENCH = Task(
    name="french",
    about="Translate short French into English: adjectives change places, “ne … pas” becomes one word, articles come and go.",
    source_words=FRENCH_WORDS,
    target_words=ENGLISH_WORDS,
    longest=LONGEST,
    draw=draw,
    read=word_reader(FRENCH_WORDS, language="French", longest=LONGEST, example="Je suis étudiant", elided=ELIDED),
    write=write,
    examples=(
        "Je suis étudiant",
        "La petite maison rouge",
        "Le chat noir n'est pas content",
        "J'aime la grande voiture verte",
        "Nous ne sommes pas professeurs",
        "L'ingénieur achète un vieil arbre",
    ),
)
"""French phrases and sentences of 3 to 9 words → English."""

LONG_FRENCH_WORDS = (*FRENCH_WORDS, *JOINTS)
LONG_FRENCH = Task(
    name="long french",
    about="Translate up to three French sentences joined by “et” or “mais”: more than one frozen vector can hold.",
    source_words=LONG_FRENCH_WORDS,
    target_words=(*ENGLISH_WORDS, *JOINTS.values()),
    longest=LONGEST_JOINED,
    draw=draw_joined,
    read=word_reader(LONG_FRENCH_WORDS, language="French", longest=LONGEST_JOINED, example="Je suis étudiant", elided=ELIDED),
    write=write,
    examples=(
        "Je suis étudiant et elle est professeur",
        "Le chat voit le chien mais le chien ne voit pas le chat",
        "La maison est petite et le jardin est vert mais l'arbre est vieux",
        "Nous aimons la voiture rouge mais nous achetons une voiture noire",
        "Tu n'es pas fatigué et je suis content",
    ),
)
"""One to three French sentences, of 3 to 20 words together → English."""
