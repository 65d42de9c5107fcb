"""The prepared scenarios show what their names say, and a bad file is refused by name and key."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pages.parts.content import prepared_scenarios, read_scenario, read_scenarios, scenario_notes
from pages.parts.scenario import Scenario, from_link, query, to_link, too_long

NAMES = [
    "running example",
    "all equal",
    "one source word",
    "near-tie",
    "winner takes almost all",
    "negative scores",
    "a gap too wide for float64",
    "near-diagonal",
    "anti-diagonal",
    "diffuse",
    "repeated words",
]
SCENARIOS = prepared_scenarios()


def weights(scenario: Scenario, t: int) -> list[float]:
    """Softmax by the textbook with an exact sum: no library, not the app's own code."""
    row = [score / scenario.temperature for score in scenario.scores[t]]
    lifted = [math.exp(score - max(row)) for score in row]
    return [one / math.fsum(lifted) for one in lifted]


def entropy(shares: list[float]) -> float:
    return math.fsum(-share * math.log(share) for share in shares if share > 0)


def test_the_menu_has_every_scenario_in_order() -> None:
    assert list(SCENARIOS) == list(scenario_notes()) == NAMES
    assert [scenario.name for scenario in SCENARIOS.values()] == NAMES


def test_callers_cannot_spoil_the_menu() -> None:
    prepared_scenarios().clear()
    assert list(prepared_scenarios()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_note_is_one_short_sentence(name: str) -> None:
    note = scenario_notes()[name]
    assert 1 <= len(note.split()) <= 20
    assert note.endswith(".")
    assert note.isprintable()


@pytest.mark.parametrize("name", NAMES)
def test_a_prepared_scenario_has_a_short_link(name: str) -> None:
    link = to_link(SCENARIOS[name], SCENARIOS)
    assert set(link) <= {"scenario"}
    assert from_link(link, SCENARIOS) == (SCENARIOS[name], [])
    assert not too_long(query(link))


def test_the_running_example_has_the_numbers_of_the_lessons() -> None:
    running = SCENARIOS["running example"]
    assert (running.source, running.target) == (("Je", "suis", "étudiant"), ("I", "am", "a", "student"))
    assert (running.t, running.temperature, running.seed) == (1, 1.0, 7)
    assert running.scores[1] == (0.3, 2.1, 0.5)
    shares = weights(running, 1)
    assert [round(share, 3) for share in shares] == [0.121, 0.731, 0.148]
    assert round(entropy(shares), 4) == 0.7667
    assert round(math.exp(entropy(shares)), 4) == 2.1526
    # "I" looks at "Je", "am" at "suis", "student" at "étudiant"; "a" is spread over the last two.
    best = [weights(running, t).index(max(weights(running, t))) for t in (0, 1, 3)]
    assert best == [0, 1, 2]
    assert min(weights(running, 2)[1:]) > 0.3


def test_all_equal_gives_equal_shares_for_different_scores() -> None:
    equal = SCENARIOS["all equal"]
    for t in range(len(equal.target)):
        assert weights(equal, t) == [1 / 3] * 3
    assert len(set(equal.scores)) == len(equal.target)


def test_one_source_word_gets_everything() -> None:
    one = SCENARIOS["one source word"]
    assert [weights(one, t) for t in range(len(one.target))] == [[1.0], [1.0]]


def test_the_near_tie_is_near_but_no_tie() -> None:
    tie = SCENARIOS["near-tie"]
    first, second, *_ = sorted(weights(tie, tie.t), reverse=True)
    assert 0 < first - second < 0.02
    assert first > 0.4


def test_the_winner_takes_almost_all_and_not_all() -> None:
    winner = SCENARIOS["winner takes almost all"]
    for t in range(len(winner.target)):
        shares = weights(winner, t)
        assert 0.99 < max(shares) < 1
        assert min(shares) > 0
        first, second, *_ = sorted(winner.scores[t], reverse=True)
        assert first - second >= 8


def test_negative_scores_are_all_negative() -> None:
    assert all(score < 0 for row in SCENARIOS["negative scores"].scores for score in row)


def test_the_wide_gap_shows_an_exact_zero_and_an_exact_one() -> None:
    wide = SCENARIOS["a gap too wide for float64"]
    assert max(wide.scores[0]) - min(wide.scores[0]) >= 746
    assert weights(wide, 0)[2] == 0.0
    assert max(weights(wide, 1)) == 1.0
    assert min(weights(wide, 1)) > 0.0


@pytest.mark.parametrize(("name", "columns"), [("near-diagonal", [0, 1, 2, 3, 4, 5]), ("anti-diagonal", [5, 4, 3, 2, 1])])
def test_the_diagonals_run_as_named(name: str, columns: list[int]) -> None:
    scenario = SCENARIOS[name]
    shares = [weights(scenario, t) for t in range(len(scenario.target))]
    assert [row.index(max(row)) for row in shares] == columns


def test_the_summary_is_spread_over_a_long_sentence() -> None:
    diffuse = SCENARIOS["diffuse"]
    assert len(diffuse.source) >= 12
    assert len(diffuse.target) <= 4
    for t in range(len(diffuse.target)):
        assert entropy(weights(diffuse, t)) > 0.97 * math.log(len(diffuse.source))


def test_repeated_words_have_their_own_weights() -> None:
    repeated = SCENARIOS["repeated words"]
    assert repeated.source == ("the", "cat", "saw", "the", "dog")
    assert repeated.target.count("le") == 2
    best = [weights(repeated, t).index(max(weights(repeated, t))) for t in range(len(repeated.target))]
    assert best == [0, 1, 2, 2, 3, 4]


GOOD = """
name = "x"
note = "Look."
source = "a b"
target = "c"
scores = [[1, 2.5]]
t = 1
temperature = 1
seed = 0
"""


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("seed = 0", "", "key 'seed' is missing"),
        ("seed = 0", "seed = 0\nhint = 'x'", "key 'hint' is not known"),
        ("seed = 0", "seed = 10000", "seed is 10000"),
        ("seed = 0", "seed = true", "key 'seed' is True"),
        ("t = 1", "t = 0", "key 't' is 0 but must be 1 to 1"),
        ("t = 1", "t = 2", "key 't' is 2 but must be 1 to 1"),
        ("t = 1", "t = 1.0", "key 't' is 1.0"),
        ("temperature = 1", "temperature = 0", "temperature is 0"),
        ("temperature = 1", "temperature = nan", "temperature is nan"),
        ('"a b"', '" "', "key 'source': the sentence has no words"),
        ('"c"', '["c"]', "key 'target' is ['c']"),
        ("[[1, 2.5]]", "[[1]]", "the number of values in scores row 1 is 1"),
        ("[[1, 2.5]]", "[[1, inf]]", "scores row 1, column 2 is inf"),
        ("[[1, 2.5]]", "[1]", "scores row 1 is 1"),
        ('"Look."', '" "', "key 'note' is empty"),
        ('"x"', '""', "name is ''"),
        ('"x"', "", "not TOML"),
    ],
)
def test_a_bad_file_is_refused_by_name_and_key(tmp_path: Path, old: str, new: str, part: str) -> None:
    file = tmp_path / "12_mine.toml"
    file.write_text(GOOD, encoding="utf-8")
    assert read_scenario(file) == (Scenario("x", ("a", "b"), ("c",), ((1.0, 2.5),), 0, 1.0, 0), "Look.")
    file.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=r"^12_mine\.toml: ") as e:
        read_scenario(file)
    assert part in str(e.value)


def test_a_file_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "12_mine.toml"
    file.write_bytes(GOOD.replace("Look", "Voilà").encode("latin-1"))
    with pytest.raises(ValueError, match=r"^12_mine\.toml: not TOML in UTF-8"):
        read_scenario(file)


def test_a_folder_needs_scenarios_with_different_names(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    with pytest.raises(ValueError, match="mine holds no scenario"):
        read_scenarios(folder)
    (folder / "02_b.toml").write_text(GOOD, encoding="utf-8")
    (folder / "01_a.toml").write_text(GOOD.replace('"x"', '"y"'), encoding="utf-8")
    assert [scenario.name for scenario, _ in read_scenarios(folder)] == ["y", "x"]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    for name in ("01_a.toml", "02_b.toml"):
        (tmp_path / name).write_text(GOOD, encoding="utf-8")
    with pytest.raises(ValueError, match=r"^02_b\.toml: name 'x' is taken already"):
        read_scenarios(tmp_path)
