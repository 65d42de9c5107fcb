"""The French that the tasks know: nouns with their gender, adjectives with their forms and place, verbs, pronouns."""

from __future__ import annotations

from typing import Literal, NamedTuple

Gender = Literal["m", "f"]
Kind = Literal["thing", "animal", "person"]

EVERYTHING: tuple[Kind, ...] = ("thing", "animal", "person")
ALIVE: tuple[Kind, ...] = ("animal", "person")
NOT_PERSONS: tuple[Kind, ...] = ("thing", "animal")


class Noun(NamedTuple):
    """A noun in the singular."""

    french: str
    english: str
    gender: Gender
    kind: Kind


class Role(NamedTuple):
    """What somebody can be, in the singular and in the plural: "je suis étudiant", "elles sont étudiantes"."""

    noun: Noun
    french_plural: str
    english_plural: str
    genders: tuple[Gender, ...]


class Adjective(NamedTuple):
    """An adjective with its forms, where it stands, and what it is said of.

    What is red is not also said to be green: ``about`` is what the two have in common.
    """

    english: str
    about: Literal["size", "worth", "age", "colour", "mood"]
    masculine: str
    feminine: str
    before_noun: bool
    said_of: tuple[Kind, ...]
    before_vowel: str = ""
    """Another masculine form before a vowel: "un vieil arbre"."""
    plural: tuple[str, str] = ("", "")
    """Masculine and feminine, if it is said of "nous", "vous", "ils" and "elles"."""

    def form(self, gender: Gender, next_word: str = "") -> str:
        """The form in the singular."""
        if gender == "m" and self.before_vowel and starts_with_vowel(next_word):
            return self.before_vowel
        return self.masculine if gender == "m" else self.feminine

    def plural_form(self, gender: Gender) -> str:
        """The form in the plural."""
        return self.plural[0 if gender == "m" else 1]


class Pronoun(NamedTuple):
    """A pronoun; ``person`` counts from 0: je, tu, il and elle, nous, vous, ils and elles."""

    french: str
    english: str
    person: int
    genders: tuple[Gender, ...]


class Verb(NamedTuple):
    """A verb with an object, in the present: a form for each person, and the two forms of English."""

    forms: tuple[str, str, str, str, str, str]
    english: str
    english_third: str
    objects: tuple[Kind, ...]


def starts_with_vowel(word: str) -> bool:
    """Tell whether "le", "je" and "ne" lose their vowel before this word."""
    return word[:1] in "aeiouéèêâîôû" and word != ""


THINGS = (
    Noun("livre", "book", "m", "thing"),
    Noun("jardin", "garden", "m", "thing"),
    Noun("arbre", "tree", "m", "thing"),
    Noun("maison", "house", "f", "thing"),
    Noun("voiture", "car", "f", "thing"),
    Noun("fleur", "flower", "f", "thing"),
    Noun("table", "table", "f", "thing"),
    Noun("école", "school", "f", "thing"),
    Noun("chat", "cat", "m", "animal"),
    Noun("chien", "dog", "m", "animal"),
)
ROLES = (
    Role(Noun("étudiant", "student", "m", "person"), "étudiants", "students", ("m",)),
    Role(Noun("étudiante", "student", "f", "person"), "étudiantes", "students", ("f",)),
    Role(Noun("professeur", "teacher", "m", "person"), "professeurs", "teachers", ("m", "f")),
    Role(Noun("médecin", "doctor", "m", "person"), "médecins", "doctors", ("m", "f")),
    Role(Noun("ingénieur", "engineer", "m", "person"), "ingénieurs", "engineers", ("m", "f")),
)
PEOPLE = (Noun("garçon", "boy", "m", "person"), Noun("fille", "girl", "f", "person"))
NOUNS = (*THINGS, *PEOPLE, *(role.noun for role in ROLES))

ADJECTIVES = (
    Adjective("small", "size", "petit", "petite", True, EVERYTHING),
    Adjective("big", "size", "grand", "grande", True, EVERYTHING),
    Adjective("good", "worth", "bon", "bonne", True, EVERYTHING),
    Adjective("old", "age", "vieux", "vieille", True, EVERYTHING, before_vowel="vieil"),
    Adjective("young", "age", "jeune", "jeune", True, ALIVE),
    Adjective("red", "colour", "rouge", "rouge", False, NOT_PERSONS),
    Adjective("green", "colour", "vert", "verte", False, NOT_PERSONS),
    Adjective("black", "colour", "noir", "noire", False, NOT_PERSONS),
    Adjective("white", "colour", "blanc", "blanche", False, NOT_PERSONS),
    Adjective("tired", "mood", "fatigué", "fatiguée", False, ALIVE, plural=("fatigués", "fatiguées")),
    Adjective("happy", "mood", "content", "contente", False, ALIVE, plural=("contents", "contentes")),
)

PRONOUNS = (
    Pronoun("je", "I", 0, ("m", "f")),
    Pronoun("tu", "you", 1, ("m", "f")),
    Pronoun("il", "he", 2, ("m",)),
    Pronoun("elle", "she", 2, ("f",)),
    Pronoun("nous", "we", 3, ("m", "f")),
    Pronoun("vous", "you", 4, ("m", "f")),
    Pronoun("ils", "they", 5, ("m",)),
    Pronoun("elles", "they", 5, ("f",)),
)

BE = ("suis", "es", "est", "sommes", "êtes", "sont")
ENGLISH_BE = ("am", "are", "is", "are", "are", "are")
VERBS = (
    Verb(("aime", "aimes", "aime", "aimons", "aimez", "aiment"), "like", "likes", EVERYTHING),
    Verb(("vois", "vois", "voit", "voyons", "voyez", "voient"), "see", "sees", EVERYTHING),
    Verb(("achète", "achètes", "achète", "achetons", "achetez", "achètent"), "buy", "buys", NOT_PERSONS),
)

FUNCTION_WORDS = ("le", "la", "l'", "un", "une", "ne", "n'", "pas")
ENGLISH_FUNCTION_WORDS = ("the", "a", "an", "not", "do", "does")
ELIDED = ("l'", "n'", "j'")


def _once(*words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


FRENCH_WORDS = _once(
    *FUNCTION_WORDS,
    *(pronoun.french for pronoun in PRONOUNS),
    "j'",
    *BE,
    *(form for verb in VERBS for form in verb.forms),
    *(noun.french for noun in NOUNS),
    *(role.french_plural for role in ROLES),
    *(form for a in ADJECTIVES for form in (a.masculine, a.before_vowel, a.feminine, *a.plural)),
)
ENGLISH_WORDS = _once(
    *ENGLISH_FUNCTION_WORDS,
    *(pronoun.english for pronoun in PRONOUNS),
    *ENGLISH_BE,
    *(form for verb in VERBS for form in (verb.english, verb.english_third)),
    *(noun.english for noun in NOUNS),
    *(role.english_plural for role in ROLES),
    *(adjective.english for adjective in ADJECTIVES),
)
