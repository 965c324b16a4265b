"""What `rulewright new` writes: starter documents, packs on top of others, settings of editors."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shlex import quote

from attrs import frozen

from rulewright.ruleset.check.bots import offers
from rulewright.ruleset.common.regular_files import is_regular
from rulewright.ruleset.compose.anchors import Anchors
from rulewright.ruleset.declare.declarations import Declared, KindDeclared
from rulewright.ruleset.declare.kind_schemas import schema_text
from rulewright.ruleset.documents.kinds import SORTS
from rulewright.ruleset.documents.play import BotDocument
from rulewright.ruleset.documents.rules import Phase, Round, SetupDocument
from rulewright.ruleset.documents.sections import ComponentEntry, CopiesEntry, ValueEntry
from rulewright.ruleset.language.types import BOOLEAN, NUMBER, Type
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.program.bot_options import ANY, OptionWay, some_keys
from rulewright.ruleset.program.scenario import COLOURS
from rulewright.ruleset.source.format_upgrade import CURRENT
from rulewright.ruleset.source.nodes import Node, ScalarNode
from rulewright.ruleset.source.pack_files import PACK_FILE, pack_root
from rulewright.tools.common.document_kinds import TOOLS_KIND_OF, TOOLS_KINDS
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import many, say
from rulewright.tools.packs import loading
from rulewright.tools.packs.declarations import PackDeclarations
from rulewright.tools.packs.pack_set import with_more

# ---- Files of a pack for editors: its JSON Schema, and settings that use it for all documents
#
# They have a folder of their own, `.vscode`, since they are made of the pack and can be made again at any
# time. A line for the language server in a YAML file would only count for the first document of that file.

SCHEMA = ".vscode/pack.schema.json"
_SETTINGS, _IGNORED = ".vscode/settings.json", ".vscode/.gitignore"
ENTRY = {"yaml.schemas": {SCHEMA: "*.yaml"}}
"""What the YAML extension of VS Code and its kin read."""


def write_editor_files(root: Path, declared: Declared) -> list[str]:
    """Write the schema and, unless they exist, the settings. Returns the paths of what was written, in the pack."""
    texts = {SCHEMA: schema_text(declared)}
    for path, text in ((_SETTINGS, json.dumps(ENTRY, indent=2) + "\n"), (_IGNORED, "pack.schema.json\n")):
        if not (root / path).exists():
            texts[path] = text
    for path, text in texts.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8", newline="")
    return list(texts)


def uses_schema(root: Path) -> bool:
    """Whether the settings of a pack name its schema."""
    return SCHEMA in (root / _SETTINGS).read_text("utf-8", "replace")


def has_schema(root: Path) -> bool:
    """Whether a pack has a schema for editors, which is then to be kept up to date."""
    return is_regular(root / SCHEMA)


# ---- Generate valid starter documents: a definition of a pack's own kind, or a document of the kernel

_TEXTS = {"en": "What it does.", "es": "Qué hace."}
_LISTED = 8
"""Number of names that a comment lists."""


@frozen
class DocumentLine:
    """A line of a document, with an explanation; `optional` lines become comments."""

    text: str
    about: str = ""
    optional: bool = False


# ------------------------------------------------------------------ a pack's own kinds

def definition(declared: Declared, items: PackDeclarations, kind: str, name: str) -> str:
    """Return a definition with all required keys, and the optional ones as comments."""
    own = declared.kinds[kind]
    component = _component(items, kind)
    lines = [DocumentLine(f"{kind}: {name}"), *_said(declared, own, name, kind)]
    lines += _card(own, component)
    if not own.abstract:
        lines.append(DocumentLine(f"plural: {name}s", "plural for sentences; by default with an `s`", True))
    lines.append(DocumentLine("source: …", "page of the printed rules", True))
    return written(lines, [*titles(declared, name), *texts(declared)])


def _said(declared: Declared, own: KindDeclared, name: str, kind: str) -> list[DocumentLine]:
    """Return lines for fields, effects, and expressions, the required ones first."""
    needed: list[DocumentLine] = []
    may: list[DocumentLine] = []
    for key, field in own.fields.items():
        if field.derived:
            continue
        value, about = _value(declared, own, key, field.type, name, kind)
        if field.per:
            members = declared.enumerations[field.per][1]
            line = f"{{{', '.join(f'{one}: {value}' for one in members)}}}"
            (may if key in own.defaults else needed).append(
                DocumentLine(f"{key}: {line}", f"for each {field.per}: {about}", key in own.defaults)
            )
        elif field.many:
            may.append(DocumentLine(f"{key}: []", f"a list; possible values: {about}", True))
        elif key in own.defaults:
            may.append(DocumentLine(f"{key}: {_default(own.defaults[key])}", f"{about}; default", True))
        else:
            copies = "; or a list with one value per copy" if field.per_copy else ""
            needed.append(DocumentLine(f"{key}: {value}", about + copies))
    for key, effect in own.effects.items():
        takes = ", ".join(f"{given} (a {type_})" for given, type_ in effect.parameters)
        about = f"an effect; it can use {takes}" if takes else "an effect"
        about += "; or a list with one value per copy" if effect.per_copy else ""
        optional = effect.optional or key in own.defaults
        about += "; it has a default" if key in own.defaults else ""
        (may if optional else needed).append(DocumentLine(f"{key}: do nothing", about, optional))
    for key, type_ in own.expressions.items():
        value = "0" if type_ == NUMBER else "true" if type_ == BOOLEAN else "none"
        may.append(DocumentLine(f"{key}: {value}", f"an expression whose value is a {type_}", True))
    return needed + may


def _value(declared: Declared, own: KindDeclared, key: str, type_: Type, name: str, kind: str) -> tuple[str, str]:
    """Return a value of a type, and a description of the possible values."""
    if type_ == NUMBER:
        low, high = own.ranges.get(key, (0, 0))
        return str(low), f"{low} to {high}" if key in own.ranges else "a number"
    if type_ == BOOLEAN:
        return "false", "true or false"
    if type_.name == "enumeration":
        members = declared.enumerations[type_.of][1]
        return members[0], some(members)
    kinds = type_.of.split("|")
    known = [one.key for one in declared.definitions.values() if one.kind in kinds]
    if kind in kinds:  # a component may make the others as long as there is no definition
        return name, f"a {type_}"
    if not known and key not in own.defaults:
        hint = f"create one first: rulewright new {kinds[0]} NAME"
        raise Usage(f"`{key}` of a {kind} requires a {type_}, and the pack has none yet; {hint}")
    return known[0] if known else "none", f"a {type_}: {some(known)}"


def _card(own: KindDeclared, component: ComponentEntry | None) -> list[DocumentLine]:
    """Return the line for the number of copies.

    A component's `copies: {by: FIELD}` applies only to cards that it generates.
    """
    if own.abstract:
        return []
    copies = component.copies if component is not None else None
    if isinstance(copies, CopiesEntry):
        return [DocumentLine("copies: 1", "number of copies")]
    given = copies.text if isinstance(copies, ScalarNode) else "1"
    if component is None:
        return [
            DocumentLine(f"copies: {given}", "not in the game yet: no component supplies cards of this kind", True)
        ]
    return [DocumentLine(f"copies: {given}", f"default, from component/{component.key}", True)]


def _component(items: PackDeclarations, kind: str) -> ComponentEntry | None:
    says = (item.says for item in items.items if not item.made)
    of_kind = (one for one in says if isinstance(one, ComponentEntry) and one.kind is not None)
    return next((one for one in of_kind if one.kind is not None and one.kind.text == kind), None)


def _default(node: Node) -> str:
    return node.text if isinstance(node, ScalarNode) and "\n" not in node.text else "…"


def some(names: Iterable[str]) -> str:
    """List the first few names, for a comment."""
    known = list(names)
    return ", ".join(known[:_LISTED]) + (", …" if len(known) > _LISTED else "")


# ------------------------------------------------------------------ documents of the kernel

KERNEL = {kind.called: kind.begun for kind in TOOLS_KINDS if kind.begun}
"""Documents of the kernel that can be generated."""

_SECTION_OF = {called: section for section, called in SORTS.items()}
ENTRIES = {
    kind.called: _SECTION_OF[kind.called] for kind in TOOLS_KINDS if kind.template and kind.called in _SECTION_OF
}
"""Entries of sections that can be generated, with their sections."""


def entry(declared: Declared, sort: str, name: str) -> str:
    """Return the initial value of an entry of a section, on one line."""
    return _filled(declared, TOOLS_KIND_OF[sort].template, name)


def _filled(declared: Declared, template: str, name: str) -> str:
    given = template.replace("NAMES", _flow({one: title(name) for one in declared.languages}))
    given = given.replace("TEXTS", _flow({one: _TEXTS.get(one, _TEXTS["en"]) for one in declared.languages}))
    return given.replace("NAME", name)


def kernel(declared: Declared, anchors: list[str], sort: str, name: str) -> str:
    """Return a document of the kernel, except those with a module of their own (`bot`, `expectation`).

    `anchors` are the possible targets of a hook.
    """
    make = {
        "verb": _verb, "function": _function, "phase": _steps, "setup": _steps, "award": _award,
        "modifier": _modifier, "window": _window, "claim": _claim, "scenario": _scenario, "face": _face,
    }  # fmt: skip
    if sort == "hook":
        return _hook(declared, anchors, name)
    if sort not in make:
        return f"{sort}: {name}\n" + _filled(declared, TOOLS_KIND_OF[sort].template, name)
    return make[sort](declared, sort, name)


def _verb(declared: Declared, sort: str, name: str) -> str:
    hole = _free(declared, "n", "amount", "how-many")
    ending = "es" if name.endswith(("s", "x", "z", "ch", "sh")) else "s"
    lines = [
        DocumentLine(f"verb: {name}({ending}) <{hole}>", "a sentence; `<n>` is a number, `<who player>` a player"),
        DocumentLine("do: do nothing", "its effect; `you` is the player who does it"),
    ]
    return written(lines, [])


def _function(declared: Declared, sort: str, name: str) -> str:
    who = _free(declared, "who", "seat", "somebody")
    lines = [
        DocumentLine(f"function: {name}"),
        DocumentLine(f"takes: {{{who}: player}}", "parameters with their types"),
        DocumentLine("gives: number", "type of the result; by default true or false"),
        DocumentLine("is: 0", f"the result, for example: {who}'s score"),
    ]
    return written(lines, [])


def _steps(declared: Declared, sort: str, name: str) -> str:
    lines = [
        f"{sort}: {name}", *titles(declared, name), "steps:", "  - id: first",
        "    # turns: clockwise(first of players)    # for each player in turn, who is `you`; without it, once",
        "    do: do nothing",
    ]  # fmt: skip
    return "\n".join([line for line in lines if sort == "phase" or not line.startswith("name:")]) + "\n"


def _award(declared: Declared, sort: str, name: str) -> str:
    lines = [
        DocumentLine(f"award: {name}"),
        DocumentLine("sum: 0", "points of each player; or use `majority` with `prize`, or `rank` with `prizes`"),
    ]
    return written(lines, titles(declared, name))


def _modifier(declared: Declared, sort: str, name: str) -> str:
    single = [one.key for one in declared.functions.values() if one.gives is None or not one.gives.many]
    what = "a function"
    if not single:
        what = "a field of a kind"
        kinds = declared.kinds.values()
        single = [f"{kind.key}.{key}" for kind in kinds for key in kind.fields if _plain(kind, key)]
    if not single:
        raise Usage(
            "a modifier requires a function, or a field with a number, and the pack has none yet; "
            "create one first: rulewright new function NAME"
        )
    lines = [
        DocumentLine(f"modifier: {name}"),
        DocumentLine(f"changes: {single[0]}", f"{what}: {some(single)}"),
        DocumentLine(
            "is: result", f"`start {name} until the turn ends` starts it; `times` is how often it was started"
        ),
    ]
    return written(lines, [])


def _plain(kind: KindDeclared, key: str) -> bool:
    """Whether a field holds one number or truth value."""
    return not kind.fields[key].many and kind.fields[key].type in (NUMBER, BOOLEAN)


def _window(declared: Declared, sort: str, name: str) -> str:
    lines = [
        DocumentLine(f"window: {name}", f"`open {name}` opens it"),
        DocumentLine("asks: others", "players who are asked; depends on public information only"),
        DocumentLine("options:"),
        DocumentLine("  react: do nothing", "an option; each player may also pass"),
    ]
    return written(lines, [])


def _claim(declared: Declared, sort: str, name: str) -> str:
    own = [key for key, (_, zone) in declared.zones.items() if zone.scope == "player"]
    if not own:
        raise Usage("a claim requires a zone with `scope: player`, and the pack has none yet; create one first")
    lines = [
        DocumentLine(f"claim: {name}", f"`claim {name}` makes it"),
        DocumentLine(f"proof: {own[0]}", f"cards that prove it, for example: {own[0]} where …"),
        DocumentLine("challenge: {asks: others}", "players who may challenge it"),
        DocumentLine("when-true: do nothing", "challenged and true: `challenger` was wrong"),
        DocumentLine("when-false: do nothing", "challenged and false: `claimant` lied"),
    ]
    return written(lines, [])


def _scenario(declared: Declared, sort: str, name: str) -> str:
    least, phase = declared.players[0], next(iter([*declared.all_of(Phase), *declared.all_of(Round)]), "")
    lines = [
        DocumentLine(f"scenario: {_quoted(name)}"),
        DocumentLine(f"players: {least}", "number of players (seat-1, seat-2, …), or their names: [ann, ben]"),
        DocumentLine("then:", "what must be true at the end"),
        DocumentLine(f"  - count(players) is {least}"),
    ]
    more = ["# given:                # the position; without it, the start of the game", f"#   phase: {phase}"]
    more += ["# when:                 # answers; CHOICE is the end of a choice's id", "#   - seat-1: {CHOICE: …}"]
    return written(lines, []) + "\n".join(line for line in more if phase or "phase:" not in line) + "\n"


def _face(declared: Declared, sort: str, name: str) -> str:
    kind = declared.kinds.get(name)
    if kind is None:
        raise Usage(f"a face is named after a kind, and there is no kind {name}; kinds: {some(declared.kinds)}")
    plain = (key for key in kind.fields if _plain(kind, key) and not kind.fields[key].per)
    numbers = [key for key in plain if kind.fields[key].type == NUMBER]
    numbers += [key for key, type_ in kind.expressions.items() if type_ == NUMBER]
    by_member = (key for key, one in kind.fields.items() if one.type.name == "enumeration" and not one.per)
    field = next(by_member, None)
    colours = "violet"
    if field is not None:
        members = declared.enumerations[kind.fields[field].type.of][1]
        colours = f"{{{field}: {{{members[0]}: violet}}}}"
    corner, about = (numbers[0], f"for example: {some(numbers)}") if numbers else ("FIELD", "a number of the cards")
    lines = [
        DocumentLine(f"face: {name}"),
        DocumentLine(f"corners: {{top-left: {corner}}}", about, not numbers),
        DocumentLine(f"colours: {colours}", f'{", ".join(COLOURS)}, or "#rrggbb"'),
        DocumentLine("picture: pictures/{id}.png", "files in the pack's folder, one for each definition", True),
        DocumentLine("size: 63 x 88 mm", "of printed cards", True),
        DocumentLine("back: blue", "a colour or a picture file", True),
    ]
    return written(lines, [])


def _hook(declared: Declared, anchors: list[str], name: str) -> str:
    if not anchors:
        raise Usage("a hook requires a verb or a step; create one first: rulewright new verb NAME")
    lines = [
        DocumentLine(f"hook: {name}"),
        DocumentLine(
            f"after: {anchors[0]}", f"or `before`, or `instead-of`; a verb or step, such as: {some(anchors[:4])}"
        ),
        DocumentLine("do: do nothing"),
    ]
    return written(lines, [])


def _free(declared: Declared, *names: str) -> str:
    """Return the first of these names that is free in the pack."""
    groups = (declared.zones, declared.tracks, declared.lists, declared.values, declared.options)
    return next((name for name in names if not any(name in group for group in groups)), names[-1])


# ------------------------------------------------------------------ text

def title(name: str) -> str:
    """Turn a name into a title: `night-watch` becomes Night watch."""
    return name.replace("-", " ").capitalize()


def titles(declared: Declared, name: str) -> list[str]:
    """Return the line with the name for players, in all languages of the pack."""
    return _texts_lines("name", {one: title(name) for one in declared.languages})


def texts(declared: Declared) -> list[str]:
    """Return the lines with the text for players, in all languages of the pack."""
    return ["text:", *(f"  {one}: {_TEXTS.get(one, _TEXTS['en'])}" for one in declared.languages)]


def _texts_lines(key: str, given: dict[str, str]) -> list[str]:
    return [f"{key}: {_flow(given)}"] if given else []


def _flow(given: dict[str, str]) -> str:
    return "{" + ", ".join(f"{language}: {_quoted(text)}" for language, text in given.items()) + "}"


def _quoted(text: str) -> str:
    plain = text.lower() not in ("null", "true", "false") and not any(sign in text for sign in ",:#{}[]'\"")
    return text if plain else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def written(lines: list[DocumentLine], named: list[str]) -> str:
    """Format a document; `named` lines follow its first line, long ones come at its end."""
    head, rest = lines[:1], lines[1:]
    short = [DocumentLine(text) for text in named if not text.startswith(("text:", "  "))]
    long = [text for text in named if text.startswith(("text:", "  "))]
    shown = [*head, *short, *rest]
    wide = min(max((len(_code(line)) for line in shown if line.about), default=0), 44)
    written = [f"{_code(line):<{wide}}  # {line.about}" if line.about else _code(line) for line in shown]
    needed = [text for line, text in zip(shown, written, strict=True) if not line.optional]
    optional = [text for line, text in zip(shown, written, strict=True) if line.optional]
    return "\n".join([*needed, *long, *optional]) + "\n"


def _code(line: DocumentLine) -> str:
    return f"# {line.text}" if line.optional else line.text


# ---- Generate a valid starter bot, with the choices of the pack and the options of the first of them

_MOST = 4
"""Scores for the options of a menu; the options without one have 0."""


def bot(loaded: Loaded, name: str) -> str:
    """Return the document. Raises Usage if the pack has errors, or no choices."""
    if loaded.program is None:
        raise Usage("a bot requires the choices of the pack, which are unknown while it has errors; fix them first")
    choices = offers(loaded.program, loaded.declared)
    if not choices:
        raise Usage("a bot requires at least one choice, and this pack asks players nothing yet")
    first, *others = sorted(choices, key=lambda key: (not key.endswith(".choice"), key))
    options = _options(choices[first])
    lines = [
        DocumentLine(f"bot: {name}", f"play against it with `--seats human,{name}`"),
        *map(DocumentLine, (*titles(loaded.declared, name), *texts(loaded.declared))),
        DocumentLine("answers:"),
        DocumentLine(
            f"  - choice: {first}", f"id of a choice, or a pattern, such as: {some([*others, repr(ANY)])}"
        ),
        DocumentLine(f"    prefer: [{options[0]}]", f"options, best first, such as: {some(options)}"),
        DocumentLine("    # when: count(players) > 2", "only if this is true; `you` is the bot"),
        DocumentLine("    # otherwise: none", "if no option of `prefer` is offered: choose as little as allowed"),
        DocumentLine(f"  - choice: {first}", "counts if no answer above does"),
        _score(choices[first]),
    ]
    return written(lines, [])


def _score(ways: tuple[OptionWay, ...]) -> DocumentLine:
    """Return a score for each option of a menu, the first ones best, or one for all things of another choice."""
    branches = [*dict.fromkeys(way.branch for way in ways if way.branch)]
    if not branches:
        return DocumentLine(
            "    score: 1", "how good each thing is (`it`): a number or a condition; the best is chosen"
        )
    scores = ", ".join(f"{branch}: {max(_MOST - place, 1)}" for place, branch in enumerate(branches[:_MOST]))
    about = "how good each option is: a number or a condition, with the names of its `each`; the best is chosen"
    return DocumentLine(f"    score: {{{scores}}}", about)


def _options(ways: tuple[OptionWay, ...]) -> list[str]:
    """Return the keys of options as items of a YAML list; for a menu, the branches come first."""
    branches = [way.branch for way in ways if way.branch]
    keys = [*dict.fromkeys([*branches, *some_keys(ways)])]
    return [f'"{key}"' if "," in key else key for key in keys] or ['"*"']


# ---- Generate a starter document of what games between bots are expected to be like

def expectation(declared: Declared, name: str) -> str:
    """Return a document with one threshold, and the other keys as comments."""
    kind = next(
        (key for key in declared.kinds if any(one.kind == key for one in declared.definitions.values())), ""
    )
    bots = ["random", *declared.all_of(BotDocument)]
    option = next(iter(declared.options), "")
    each = f"{{{kind}: at least 5 %}}"
    lines = [
        DocumentLine(f"expect: {name}", "`rulewright balance --check` plays this table"),
        DocumentLine(f"players: {declared.players[0]}"),
        DocumentLine("first-seat-wins: at most 60 %", "or `at least 40 %`, or `40 to 60 %`"),
        DocumentLine("no-winner: at most 5 %", "games without a winner", True),
        DocumentLine("mean-length: at most 100 decisions", "of a game, on average", True),
        DocumentLine("usual-length: 10 to 200 decisions", "of nine of ten games", True),
        DocumentLine(f"bot: {bots[-1]}", f"in all seats: {some(bots)}", True),
    ]
    if option:
        lines.append(DocumentLine(f"options: {{{option}: …}}", f"options: {some(declared.options)}", True))
    if kind:
        about = f"a kind, a group, or a definition, such as: {some(declared.kinds)}"
        lines.append(DocumentLine(f"chosen-when-offered: {each}", about, True))
        lines.append(
            DocumentLine(
                f"none-stands-out: {kind}", "no definition is far stronger or weaker than all others", True
            )
        )
    return written(lines, [])


# ---- Create a new folder in the current one, completely or not at all

@contextmanager
def fresh_folder(name: str) -> Iterator[Path]:
    """Yield a temporary folder for a new pack; at the end it is renamed to `name`.

    Raises Usage if `name` exists or the current folder belongs to a pack, and if the folder or its contents cannot
    be written. After any exception, nothing remains.
    """
    target = Path(name)
    if target.exists() or target.is_symlink():
        raise Usage(f"{name} already exists in this folder; choose another name")
    if pack_root(Path()) is not None:
        raise Usage("packs cannot be nested; run this outside a pack")
    own = Path(f".{name}.{os.getpid()}")
    try:
        yield own
        own.rename(target)
    except OSError as error:
        raise Usage(f"cannot create {name}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(own, ignore_errors=True)


RULES, SCENARIOS = "rules.yaml", "scenarios/first.yaml"


def new_rules(name: str, game: str) -> int:
    """Write the pack into a folder of its name, and print the next steps."""
    with fresh_folder(name) as folder:
        pack, files = _written(folder, name, game)
    say(f"Created the house rules {name} for {pack}: {many(files, 'file')} in {name}/")
    shown = game if "+" not in game else game.partition("+")[0]
    say("Next:")
    for command in (
        f"rulewright validate {name}",
        f"rulewright test {name}",
        f"rulewright diff {quote(shown)} {quote(with_more(shown, [name]))}",
        f"rulewright play {quote(shown)} --with {name}",
        f"rulewright serve {quote(shown)} {name}",
        f"rulewright test {quote(shown)} --with {name} --compare",
    ):
        say(f"  {command}")
    return CLEAN


def _written(folder: Path, name: str, game: str) -> tuple[str, int]:
    """Write the files of the pack; return the name of its game, and the number of files."""
    together = loading.read_pack_set(game, scenarios=False)
    loaded = loading.load_pack_set(together)
    if loaded.program is None:
        raise Usage(f"{game} has errors; fix them first (rulewright validate {game} lists them)")
    files = {
        PACK_FILE: _pack(name, loaded),
        RULES: _rules(loaded),
        SCENARIOS: _scenario_of_rules(loaded),
    }
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    asked = (*together.asked, loading.read(folder))
    fitting = loading.load_pack_set(loading.pack_set_of(asked))
    if fitting.findings:
        what = fitting.findings[0].message
        raise Usage(f"nothing was written, because a new pack for {game} would have a finding: {what}")
    write_editor_files(folder, fitting.declared)
    return loaded.pack, len(files)


def _pack(name: str, loaded: Loaded) -> str:
    tongues = loaded.declared.languages
    extends = ", ".join(f'{head.pack}: "{_range(head.version)}"' for head in loaded.heads)
    texts = ", ".join(f"{tongue}: {title(name)}" for tongue in tongues)
    reasons = ", ".join(f"{tongue}: Why these rules are better." for tongue in tongues)
    return (
        f"pack: {name}\nversion: 0.1.0\nformat: {CURRENT}\nextends: {{{extends}}}\n"
        f"languages: [{', '.join(tongues)}]\nname: {{{texts}}}\ntext: {{{reasons}}}\n"
    )


def _range(version: str) -> str:
    """Return a range of versions that should be compatible."""
    major = version.partition(".")[0]
    return f">={version},<{int(major) + 1}" if major.isdigit() and int(major) else f">={version}"


def _rules(loaded: Loaded) -> str:
    """Return example changes with ids of this game, as comments: a change without an effect would be a finding."""
    anchors = Anchors(loaded.composed.documents)
    ideas = [*islice(_values(anchors), 1), *_ideas(anchors, loaded)]
    lines = [
        "# Changes of these house rules. `was` is the present value: `validate` reports it if the game changes the "
        "value."
    ]
    if not ideas:
        return "\n".join(lines) + "\n"
    lines += [
        "# Examples: remove the `#` before a change, and edit it; as written, it changes nothing. Put a line `---`",
        "# between two changes.",
        "#",
    ]
    for idea in ideas:
        lines += [f"# {line}" for line in idea] + ["#"]
    lines.append("# You can also declare new cards, zones, verbs, phases, and so on here, as in any pack.")
    return "\n".join(lines) + "\n"


def _values(anchors: Anchors) -> Iterator[list[str]]:
    """Yield changes of numbers of the game to their current values."""
    for place in anchors.of("value"):
        node = anchors.node(place)
        if isinstance(node, ScalarNode):
            yield [f"change: {place.id}", f"set: {{was: {node.text}, to: {node.text}}}"]
        for entry in ValueEntry.made_of(node).by_players if node is not None else ():
            if isinstance(entry.value, ScalarNode):
                key, value = f"by-players.{entry.key.text}", entry.value.text
                yield [f"change: {place.id}", f"set: {{{key}: {{was: {value}, to: {value}}}}}"]


def _ideas(anchors: Anchors, loaded: Loaded) -> Iterator[list[str]]:
    declared = loaded.declared
    effects = (
        f"{one.kind}/{one.key}.{effect}"
        for one in declared.definitions.values()
        for effect in declared.kinds[one.kind].effects
        if not one.made and one.body.get(effect) is not None
    )
    if (effect := next(effects, None)) is not None:
        yield [f"change: {effect}", "after: do nothing"]
    stages = (declared.all_of(Phase), declared.all_of(Round), declared.all_of(SetupDocument))
    for stage in (one for group in stages for one in group.values()):
        first = stage.steps.items[0].id if stage.steps is not None and stage.steps.items else None
        if first is not None:
            yield [f"change: step/{stage.key}.{first.text}", "before: {id: something-new, do: do nothing}"]
            break
    verb = next(iter(declared.verbs), None)
    if verb is not None:
        yield [f"change: verb/{verb}", "around: proceed"]


def _scenario_of_rules(loaded: Loaded) -> str:
    declared = loaded.declared
    least, phase = declared.players[0], next(iter([*declared.all_of(Phase), *declared.all_of(Round)]), "")
    lines = [
        "scenario: What is different with these rules   # a sentence",
        f"players: {least}                  # number of players (seat-1, seat-2, …), or their names: [ann, ben]",
        "then:                       # what must be true at the end",
        f"  - count(players) is {least}",
        "# given:                    # the position; without it, the start of the game",
        *([f"#   phase: {phase}"] if phase else []),
        "# when:                     # the answers; CHOICE is the end of a choice's id",
        "#   - seat-1: {CHOICE: …}",
    ]
    return "\n".join(lines) + "\n"
