"""Resolving packs: which are combined, in which order, and the findings if they cannot be."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.ruleset.findings.catalogue import CATALOGUE, CatalogueEntry
from rulewright.ruleset.packs import PLACES, Head, Resolved, head_of, instead, is_range, resolve, within
from rulewright.ruleset.source.reader import read_documents

GAME = "version: 1.4.0\nplayers: 2"


def head(name: str, text: str, path: str | None = None) -> Head:
    """The head of a pack whose `pack.yaml` goes on with these lines."""
    documents, problems = read_documents(path or f"{name}/pack.yaml", f"pack: {name}\n{text}\n")
    assert problems == ()
    found = head_of(documents)
    assert found is not None
    return found


def resolved(asked: str, **packs: str) -> Resolved:
    """The packs that are asked for by name, among these: `_` in a name is `-`."""
    heads = [head(name.replace("_", "-"), text) for name, text in packs.items()]
    by_name = {one.pack: one for one in heads}
    return resolve([by_name[name] for name in asked.split()], by_name.get)


def names(found: Resolved) -> str:
    return " ".join(one.pack for one in found.order)


# ------------------------------------------------------------------ heads

def test_a_head_has_all_that_the_document_says() -> None:
    text = (
        'version: 1.2.3\nextends: {lanterns: ">=1"}\nrequires:\n  fog: ">=1, <2"\n  rain: "*"\n'
        'conflicts: [snow]\nafter:\n  wind:\n    ">=2"\n'
    )
    found = head("night", text)
    assert (found.pack, found.version, str(found.span)) == ("night", "1.2.3", "night/pack.yaml:1:7")
    needs = {
        key: [(need.pack, need.versions, str(need.span), need.span.end_column) for need in getattr(found, key)]
        for key in ("extends", "requires", "conflicts", "after")
    }
    assert needs == {
        "extends": [("lanterns", ">=1", "night/pack.yaml:3:11", 26)],
        "requires": [("fog", ">=1, <2", "night/pack.yaml:5:3", 17), ("rain", "*", "night/pack.yaml:6:3", 12)],
        "conflicts": [("snow", "*", "night/pack.yaml:7:13", 17)],
        "after": [("wind", ">=2", "night/pack.yaml:9:3", 7)],  # the range is on another line
    }


def test_what_has_the_wrong_shape_is_read_as_it_was_meant() -> None:
    """The schema finds fault with each of these; the packs are loaded all the same."""
    found = head("night", "version: [1]\nextends: lanterns\nrequires: [fog]\nafter: {wind: 2.0, rain: }\n")
    assert found.version == "0"
    assert [(need.pack, need.versions) for need in (*found.extends, *found.requires, *found.after)] == [
        ("lanterns", "*"), ("fog", "*"), ("wind", "*"), ("rain", "*"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["verb: rest\ndo: do nothing", "pack: ", "pack: [a]", "players: 2\npack: a"])
def test_without_a_pack_there_is_no_head(text: str) -> None:
    assert head_of(read_documents("pack.yaml", text)[0]) is None


# ------------------------------------------------------------------ order

ORDERS = [
    # packs that are asked for, their order, and what each says
    ("lanterns", "lanterns", {"lanterns": GAME}),
    ("night", "lanterns night", {"lanterns": GAME, "night": 'extends: {lanterns: "*"}'}),
    (  # ties go by name, whatever the order of asking
        "c b a",
        "lanterns a b c",
        {"lanterns": GAME, **dict.fromkeys("abc", 'extends: {lanterns: "*"}')},
    ),
    (  # the game first, though its name is the last
        "b",
        "zebra a b",
        {"zebra": GAME, "a": 'extends: {zebra: "*"}', "b": 'extends: {zebra: "*"}\nrequires: {a: "*"}'},
    ),
    (  # a house rule of a house rule
        "a",
        "lanterns c b a",
        {
            "lanterns": GAME,
            "a": 'extends: {b: "*"}',
            "b": 'extends: {c: "*"}',
            "c": 'extends: {lanterns: "*"}',
        },
    ),
    (  # `after` turns the order of names, but brings nothing along
        "a b",
        "lanterns b a",
        {"lanterns": GAME, "a": 'extends: {lanterns: "*"}\nafter: [b, c]', "b": 'extends: {lanterns: "*"}',
         "c": 'extends: {lanterns: "*"}'},
    ),
    (  # `after` that is not for this version
        "a b",
        "lanterns a b",
        {"lanterns": GAME, "a": 'extends: {lanterns: "*"}\nafter: {b: "<1"}',
         "b": 'version: 1.0.0\nextends: {lanterns: "*"}'},
    ),
    (  # `after` that says what is so in any case
        "a",
        "lanterns a",
        {"lanterns": GAME, "a": 'extends: {lanterns: "*"}\nafter: [lanterns]'},
    ),
    (  # a chain of `after` through a pack that is needed
        "a c",
        "lanterns c b a",
        {"lanterns": GAME, "a": 'extends: {lanterns: "*"}\nrequires: {b: "*"}',
         "b": 'extends: {lanterns: "*"}\nafter: [c]', "c": 'extends: {lanterns: "*"}'},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "order", "packs"), ORDERS)
def test_order(asked: str, order: str, packs: dict[str, str]) -> None:
    for some in itertools.permutations(asked.split()):
        found = resolved(" ".join(some), **packs)
        assert (names(found), found.findings) == (order, ())


def test_nothing_asked_for_is_nothing() -> None:
    assert resolved("") == Resolved((), (), {}, {})


def test_who_sees_whom() -> None:
    found = resolved(
        "a d",
        lanterns=GAME,
        a='extends: {lanterns: "*"}\nrequires: {b: "*"}\nafter: [d]',
        b='extends: {lanterns: "*"}\nafter: [c]',
        c='extends: {lanterns: "*"}',
        d='extends: {c: "*"}',
    )
    assert names(found) == "lanterns c b d a"
    assert found.sees == {
        "lanterns": {"lanterns"},
        "a": {"a", "b", "lanterns"},
        "b": {"b", "lanterns"},
        "c": {"c", "lanterns"},
        "d": {"d", "c", "lanterns"},
    }
    assert found.comes_after == {
        "lanterns": set(),
        "a": {"b", "c", "d", "lanterns"},
        "b": {"c", "lanterns"},
        "c": {"lanterns"},
        "d": {"c", "lanterns"},
    }


# ------------------------------------------------------------------ versions

@pytest.mark.parametrize(
    ("version", "versions", "expected"),
    [
        ("1.2.0", "*", True),
        ("1.2.0", ">=1", True),
        ("1.2.0", ">=1.2,<2", True),
        ("2.0.0", ">=1.2, <2", False),
        ("1.10.0", ">=1.9", True),
        ("1.2.0", "~=1.2", True),
        ("1.9.0", "~=1.2", True),
        ("2.0.0", "~=1.2", False),
        ("1.9.0", "==1.*", True),
        ("0.9.0", "==1.*", False),
        ("1.2.0", "==1.2", True),
        ("1.2.1", "!=1.2.1", False),
        ("0", ">=1", False),
    ],
)
def test_within(version: str, versions: str, expected: bool) -> None:
    assert within(version, versions) is expected


@pytest.mark.parametrize(("version", "versions"), [("1.0.0", "1.2"), ("1.0.0", ""), ("one", ">=1")])
def test_what_cannot_be_judged(version: str, versions: str) -> None:
    with pytest.raises(ValueError, match="is no"):
        within(version, versions)


GENERAL = 'for example `">=1"`, `">=1.2,<2"`, `"==1.*"`, or `"*"` for any version'


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1.2", 'write `">=1.2"` for this version and later ones, or `"==1.2"` for this version only'),
        ("v2", 'write `">=2"` for this version and later ones, or `"==2"` for this version only'),
        ("", 'write `"*"` for any version'),
        ("latest", 'write `"*"` for any version'),
        ("^1.2", 'write `">=1.2,<2"`'),
        ("~1.2.3", 'write `"~=1.2.3"`'),
        ("~1.2", 'write `"~=1.2.0"`'),
        ("~1", 'write `"==1.*"`'),
        ("~=1", 'write `"==1.*"`'),
        ("1.x", 'write `"==1.*"`'),
        (">=1.*", 'write `">=1"`'),
        ("=1.2", 'write `"==1.2"`'),
        ("=>1.2", 'write `">=1.2"`'),
        (">=1 <2", 'separate bounds with commas: `">=1, <2"`'),
        ("1.0 to 2.0", GENERAL),
        ("newer", GENERAL),
        (",", GENERAL),
    ],
)
def test_what_is_no_range(text: str, hint: str) -> None:
    assert not is_range(text)
    assert instead(text) == hint


def test_any_version_imports_nothing() -> None:
    code = (
        "import sys\nfrom rulewright.ruleset.packs import within\n"
        "within('1.0.0', '*'); print('packaging' in sys.modules)\n"
        "within('1.0.0', '>=1'); print('packaging' in sys.modules)"
    )
    root = Path(__file__).parents[3]
    told = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (told.stdout, told.stderr) == ("False\nTrue\n", "")


# ------------------------------------------------------------------ findings

OF_LANTERNS = 'extends: {lanterns: "*"}'
LATER = "get a version of `night` that is made for 1.4.0; if it works with this version, write a wider range here"
CIRCLE = "remove one of these; if only the order matters, use `after`"
ORDER = "remove one of these: of two packs, only one can come later"

FINDINGS: list[tuple[str, dict[str, str], list[tuple[object, ...]]]] = [
    # packs that are asked for, what each says; then code, place, message, hint and labels of each finding
    (
        "night",
        {"night": 'extends: {lantrens: ">=1"}'},
        [
            (
                "RW610",
                "night/pack.yaml:2:11",
                "`night` extends `lantrens`, but no pack of that name was found",
                PLACES,
            )
        ],
    ),
    (  # one that is missing is one mistake
        "night rain",
        {"night": OF_LANTERNS, "rain": OF_LANTERNS, "fog": OF_LANTERNS},
        [
            (
                "RW610",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns`, but no pack of that name was found",
                PLACES,
                ("rain/pack.yaml:2:11", "`rain` requires it, too"),
            )
        ],
    ),
    (
        "night",
        {"lanterns": GAME, "night": 'extends: {lanterns: ">=2"}'},
        [
            (
                "RW611",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns` with version `>=2`, but 1.4.0 is too old",
                "get a newer version of `lanterns`",
                ("lanterns/pack.yaml:1:7", "this is version 1.4.0"),
            )
        ],
    ),
    (
        "night",
        {"lanterns": GAME, "night": 'extends: {lanterns: ">=1,<1.4"}'},
        [
            (
                "RW611",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns` with version `>=1,<1.4`, but 1.4.0 is too new",
                LATER,
                ("lanterns/pack.yaml:1:7", "this is version 1.4.0"),
            )
        ],
    ),
    (
        "night",
        {"lanterns": GAME, "night": 'extends: {lanterns: "==1.5.*"}'},
        [
            (
                "RW611",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns` with version `==1.5.*`, but 1.4.0 is too old",
                "get a newer version of `lanterns`",
                ("lanterns/pack.yaml:1:7", "this is version 1.4.0"),
            )
        ],
    ),
    (
        "night",
        {"lanterns": GAME, "night": 'extends: {lanterns: "!=1.4.0"}'},
        [
            (
                "RW611",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns` with version `!=1.4.0`, but 1.4.0 is not allowed",
                LATER,
                ("lanterns/pack.yaml:1:7", "this is version 1.4.0"),
            )
        ],
    ),
    (
        "night",
        {"lanterns": "players: 2", "night": 'extends: {lanterns: ">=1"}'},
        [
            (
                "RW611",
                "night/pack.yaml:2:11",
                "`night` extends `lanterns` with version `>=1`, but it has no version",
                'give `lanterns` a `version`, such as `1.0.0`, or write `"*"` here for any version',
                ("lanterns/pack.yaml:1:7", "this has no `version`"),
            )
        ],
    ),
    ("night", {"lanterns": "version: soon\nplayers: 2", "night": 'extends: {lanterns: ">=1"}'}, []),
    (
        "night",
        {"lanterns": GAME, "night": 'extends: {lanterns: "1.4"}\nconflicts: {fog: ""}'},
        [
            (
                "RW612",
                "night/pack.yaml:2:11",
                "`1.4` is not a valid range of versions for `lanterns`",
                'write `">=1.4"` for this version and later ones, or `"==1.4"` for this version only',
            ),
            (
                "RW612",
                "night/pack.yaml:3:13",
                "this is not a valid range of versions for `fog`",
                'write `"*"` for any version',
            ),
        ],
    ),
    (
        "c lanterns",
        {
            "lanterns": GAME,
            "a": f'{OF_LANTERNS}\nrequires: {{b: "*"}}',
            "b": 'extends: {c: "*"}',
            "c": 'extends: {a: "*"}',
        },
        [
            (
                "RW613",
                "a/pack.yaml:3:12",
                "`a` requires itself, through other packs: `a` requires `b`, which extends `c`, which extends `a`",
                CIRCLE,
                ("b/pack.yaml:2:11", "`b` extends `c`"),
                ("c/pack.yaml:2:11", "`c` extends `a`"),
            )
        ],
    ),
    (
        "night",
        {"night": 'extends: {night: "*"}'},
        [("RW613", "night/pack.yaml:2:11", "`night` extends itself", "remove this line")],
    ),
    (
        "a b",
        {"lanterns": GAME, "a": f"{OF_LANTERNS}\nafter: [b]", "b": f"{OF_LANTERNS}\nafter: [a]"},
        [
            (
                "RW614",
                "a/pack.yaml:3:9",
                "`a` comes after itself, through other packs: `a` comes after `b`, which comes after `a`",
                ORDER,
                ("b/pack.yaml:3:9", "`b` comes after `a`"),
            )
        ],
    ),
    (  # told where `after` stands, not where what is needed stands
        "a",
        {"lanterns": GAME, "a": f'{OF_LANTERNS}\nrequires: {{b: "*"}}', "b": f"{OF_LANTERNS}\nafter: [a]"},
        [
            (
                "RW614",
                "b/pack.yaml:3:9",
                "`b` comes after itself, through other packs: `b` comes after `a`, which requires `b`",
                ORDER,
                ("a/pack.yaml:3:12", "`a` requires `b`"),
            )
        ],
    ),
    (
        "a",
        {"lanterns": GAME, "a": f"{OF_LANTERNS}\nafter: [a]"},
        [("RW614", "a/pack.yaml:3:9", "`a` comes after itself", "remove this line")],
    ),
    (  # only as long as both are there
        "a",
        {"lanterns": GAME, "a": f"{OF_LANTERNS}\nafter: [b]", "b": f"{OF_LANTERNS}\nafter: [a]"},
        [],
    ),
    (
        "a b",
        {"lanterns": GAME, "a": f"{OF_LANTERNS}\nconflicts: [b]", "b": f"{OF_LANTERNS}\nconflicts: [a]"},
        [
            (
                "RW615",
                "a/pack.yaml:3:13",
                "`a` cannot be combined with `b`",
                "remove one of them",
                ("b/pack.yaml:1:7", "`b` is here"),
            )
        ],
    ),
    (
        "a c",
        {
            "lanterns": GAME,
            "a": f'{OF_LANTERNS}\nconflicts: {{b: "<2"}}',
            "b": f"version: 1.0.0\n{OF_LANTERNS}",
            "c": f'{OF_LANTERNS}\nrequires: {{b: "*"}}',
        },
        [
            (
                "RW615",
                "a/pack.yaml:3:13",
                "`a` cannot be combined with `b` in versions `<2`; this is 1.0.0",
                "remove one of them",
                ("c/pack.yaml:3:12", "`c` requires `b`, so it is loaded, too"),
            )
        ],
    ),
    (
        "a b",
        {
            "lanterns": GAME,
            "a": f'{OF_LANTERNS}\nconflicts: {{b: "<2"}}',
            "b": f"version: 2.0.0\n{OF_LANTERNS}",
        },
        [],
    ),
    (
        "a",
        {"lanterns": GAME, "a": f"{OF_LANTERNS}\nconflicts: [a, c]", "c": OF_LANTERNS},
        [
            (
                "RW615",
                "a/pack.yaml:3:13",
                "`a` conflicts with itself, so it cannot be used",
                "remove this line",
            )
        ],
    ),
    (
        "lanterns kites",
        {"lanterns": GAME, "kites": GAME},
        [
            (
                "RW616",
                "lanterns/pack.yaml:1:7",
                "`kites` and `lanterns` are 2 games: none extends another pack",
                'name packs of one game; a pack that changes a game requires `extends: {GAME: "*"}`',
                ("kites/pack.yaml:1:7", "`kites` is here"),
            )
        ],
    ),
    (
        "night high",
        {"lanterns": GAME, "kites": GAME, "night": OF_LANTERNS, "high": 'extends: {kites: "*"}'},
        [
            (
                "RW616",
                "night/pack.yaml:2:11",
                "`kites` and `lanterns` are 2 games: none extends another pack",
                'name packs of one game; a pack that changes a game requires `extends: {GAME: "*"}`',
                ("high/pack.yaml:2:11", "`high` extends `kites`, so it is loaded, too"),
            )
        ],
    ),
]


@pytest.mark.parametrize(("asked", "packs", "expected"), FINDINGS)
def test_findings(asked: str, packs: dict[str, str], expected: list[tuple[object, ...]]) -> None:
    orders = {names(resolved(" ".join(some), **packs)) for some in itertools.permutations(asked.split())}
    assert len(orders) == 1
    for some in itertools.permutations(asked.split()):
        assert [
            (one.code, str(one.span), one.message, one.hint, *((str(it.span), it.text) for it in one.labels))
            for one in resolved(" ".join(some), **packs).findings
        ] == expected


def test_two_packs_of_one_name() -> None:
    one, other = head("night", OF_LANTERNS, "here/pack.yaml"), head("night", OF_LANTERNS, "there/pack.yaml")
    lanterns = head("lanterns", GAME)
    for asked in ([one, other], [other, one]):
        found = resolve(asked, {"lanterns": lanterns}.get)
        assert found.order == (lanterns, one)
        (finding,) = found.findings
        assert (finding.code, str(finding.span), finding.message, finding.hint) == (
            "RW617",
            "there/pack.yaml:1:7",
            "two packs are called `night`",
            "remove one of them; if they are different packs, rename one",
        )
        assert [(str(label.span), label.text) for label in finding.labels] == [
            ("here/pack.yaml:1:7", "the other one")
        ]
    assert resolve([one, one], {"lanterns": lanterns}.get).findings == ()


def test_two_circles_are_two_mistakes() -> None:
    found = resolved(
        "a c",
        lanterns=GAME,
        a=f'{OF_LANTERNS}\nrequires: {{b: "*"}}',
        b='extends: {a: "*"}',
        c=f'{OF_LANTERNS}\nrequires: {{d: "*"}}\nafter: [e]',
        d='extends: {c: "*"}',
        e='extends: {d: "*"}',
    )
    assert [one.message for one in found.findings] == [
        "`a` requires itself, through other packs: `a` requires `b`, which extends `a`",
        "`c` requires itself, through other packs: `c` requires `d`, which extends `c`",
    ]
    assert names(found) == "lanterns a b c d"


def test_a_pack_that_is_found_under_another_name_is_missing() -> None:
    night = head("night", OF_LANTERNS)
    found = resolve([night], lambda name: head("kites", GAME))
    assert [one.code for one in found.findings] == ["RW610"]


# ------------------------------------------------------------------ the catalogue

def of_example(text: str) -> Resolved:
    """An example holds heads; what has the name of the first is asked for, and the others can be found."""
    documents, problems = read_documents("pack.yaml", text)
    assert problems == ()
    heads = [found for document in documents if (found := head_of([document]))]
    by_name = {one.pack: one for one in reversed(heads)}
    return resolve([one for one in heads if one.pack == heads[0].pack], by_name.get)


DEPENDENCIES = [CATALOGUE[f"RW{code}"] for code in range(610, 618)]


@pytest.mark.parametrize("entry", DEPENDENCIES, ids=lambda entry: str(entry.code))
def test_examples(entry: CatalogueEntry) -> None:
    assert {one.code for one in of_example(entry.page.wrong).findings} == {entry.code}
    assert of_example(entry.page.right).findings == ()
