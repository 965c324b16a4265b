"""`rulewright new house-rule NAME --for PACK`: create a pack on top of another."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shlex import quote

from rulewright.ruleset.compose.anchors import Anchors
from rulewright.ruleset.documents.flow import Phase, Round, Setup
from rulewright.ruleset.documents.sections import ValueEntry
from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.source.format_upgrade import CURRENT
from rulewright.ruleset.source.nodes import ScalarNode
from rulewright.ruleset.source.pack_files import PACK_FILE, pack_root
from rulewright.tools.common.errors import CLEAN, Usage
from rulewright.tools.common.output import many, say
from rulewright.tools.packs import loading
from rulewright.tools.packs.pack_set import with_more
from rulewright.tools.scaffolding.documents import title
from rulewright.tools.scaffolding.editor import write_editor_files

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


# ------------------------------------------------------------------ house rules: the rest

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
        SCENARIOS: _scenario(loaded),
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
    stages = (declared.all_of(Phase), declared.all_of(Round), declared.all_of(Setup))
    for stage in (one for group in stages for one in group.values()):
        first = stage.steps.items[0].id if stage.steps is not None and stage.steps.items else None
        if first is not None:
            yield [f"change: step/{stage.key}.{first.text}", "before: {id: something-new, do: do nothing}"]
            break
    verb = next(iter(declared.verbs), None)
    if verb is not None:
        yield [f"change: verb/{verb}", "around: proceed"]


def _scenario(loaded: Loaded) -> str:
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
