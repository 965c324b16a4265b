"""All places where a pack writes a number: small sources with a `@` where the number is.

A source is read after `GAME`, whose documents of the kinds that it replaces are left out.
"""

from __future__ import annotations

from pathlib import Path

from rulewright.ruleset.loaded import Loaded
from rulewright.ruleset.pipeline import load_files
from rulewright.ruleset.source.pack_files import PackFiles

FILE = "place.yaml"
GAME = """\
pack: sample
version: 0.1.0
format: 3
name: {en: Sample}
players: 2 to 3
languages: [en]
enumerations: {colour: [red, green]}
kinds:
  gem: {fields: {worth: 0 to 9, size: number}, effects: {play: {optional: true}}}
  stone: {}
components:
  stones: {kind: stone, copies: 4, starts: bag, home: bag}
  gems: {kind: gem, copies: 2, starts: bag, home: bag}
zones:
  bag: {order: bag}
  hand: {scope: player, order: bag}
tracks:
  rounds: {of: number}
  n: {of: number}
  coins: {scope: player}
  fame: {scope: [player, colour]}
lists: {numbers: {of: number}}
---
gem: opal
worth: 1
size: 2
---
verb: gain(s) <k> coin(s)
do: coins += k
---
setup: start
steps:
  - id: deal
    do: |
      each p in players: p's coins = 1
---
round: play
steps:
  - id: act
    turns: players
    options:
      take: move 1 stone from bag to hand
      pass: coins += 1
  - id: count
    do: rounds += 1
until: rounds >= 2
---
finish: end
awards: [wealth]
---
award: wealth
sum: count(hand)
---
winner: best
among: players
order: [most score]
"""

DECLARED: dict[str, str] = {
    "range of a field, high": (
        "kinds: {coal: {fields: {w: 0 to @}}}\n---\n"
        "components: {coals: {kind: coal, copies: 1, starts: bag, home: bag}}\n---\n"
        "coal: one\nw: 1"
    ),
    "value of a number field": "gem: ruby\nworth: 1\nsize: @",
    "value of a ranged field": "gem: ruby\nworth: @\nsize: 1",
    "default of a number field": "kinds: {coal: {fields: {w: {type: number, default: @}}}}\n---\ncoal: one",
    "default of a ranged field": "kinds: {coal: {fields: {w: {type: 0 to 5, default: @}}}}\n---\ncoal: one",
    "default of list field": "kinds: {coal: {fields: {w: {type: list of number, default: [@]}}}}\n---\ncoal: one",
    "value of a list field": "kinds: {coal: {fields: {w: list of number}}}\n---\ncoal: one\nw: [1, @]",
    "value per member": (
        "kinds: {coal: {fields: {w: {type: number, per: colour}}}}\n---\n"
        "coal: one\nw: {red: 1, green: @}"
    ),
    "default per member": (
        "kinds: {coal: {fields: {w: {type: number, per: colour, default: {red: @, green: 1}}}}}\n---\n"
        "coal: one"
    ),
    "value per copy": (
        "kinds: {coal: {fields: {w: {type: number, per: copy}}}}\n---\n"
        "coal: one\nw: [1, @]\ncopies: 2\nstarts: bag\nhome: bag"
    ),
    "derived field": "kinds: {coal: {fields: {v: number, w: {type: number, is: 'v + @'}}}}\n---\ncoal: one\nv: 1",
    "derived field case": (
        "kinds: {coal: {fields: {v: number, w: {type: 0 to 5, cases: [{when: v is 1, is: '@'}, {is: 0}]}}}}\n---\n"
        "coal: one\nv: 1"
    ),
    "derived field plain": "kinds: {coal: {fields: {v: number, w: {type: number, is: @}}}}\n---\ncoal: one\nv: 1",
    "expression of a definition": "kinds: {coal: {expressions: {w: number}}}\n---\ncoal: one\nw: @",
    "default expression": "kinds: {coal: {expressions: {w: {type: number, default: @}}}}\n---\ncoal: one",
    "each of a number field": (
        "kinds: {coal: {fields: {w: number}}}\n---\n"
        "components: {coals: {kind: coal, each: {w: [1, @]}, copies: 1, starts: bag, home: bag}}"
    ),
    "each of a ranged field": (
        "kinds: {coal: {fields: {w: 0 to 5}}}\n---\n"
        "components: {coals: {kind: coal, each: {w: [1, @]}, copies: 1, starts: bag, home: bag}}"
    ),
    "copies of a component": (
        "kinds: {coal: {}}\n---\n"
        "components: {coals: {kind: coal, copies: @, starts: bag, home: bag}}"
    ),
    "copies expression": (
        "kinds: {coal: {}}\n---\n"
        "components: {coals: {kind: coal, copies: 'count(players) + @', starts: bag, home: bag}}"
    ),
    "copies by": (
        "kinds: {coal: {fields: {w: number}}}\n---\n"
        "components: {coals: {kind: coal, each: {w: [1]}, copies: {by: w, 1: @}, starts: bag, home: bag}}"
    ),
    "copies by key": (
        "kinds: {coal: {fields: {w: number}}}\n---\n"
        "components: {coals: {kind: coal, each: {w: [1]}, copies: {by: w, 1: 1, @: 3}, starts: bag, home: bag}}"
    ),
    "copies of a definition": "gem: ruby\nworth: 1\nsize: 1\ncopies: @",
    "value": "values: {v: @}",
    "value in list": "values: {v: [1, @]}",
    "value by players": "values: {v: {by-players: {2: @, default: 1}}}",
    "value by players, default": "values: {v: {by-players: {2: 1, default: @}}}",
    "value by players, list": "values: {v: {by-players: {2: [1, @], default: [1, 2]}}}",
    "value by players, key": "values: {v: {by-players: {@: 1, default: 2}}}",
    "option number, high": "options: {stake: {number: 1 to @, default: 1}}",
    "option number, low": "options: {stake: {number: @ to 5, default: 5}}",
    "option number, default": "options: {stake: {number: 1 to 5, default: @}}",
    "option count": "options: {stake: {some-of: gem, count: @, default: none}}",
    "track at-most": "tracks: {t: {of: number, at-most: @}}",
    "track at-least": "tracks: {t: {of: number, at-least: @, at-most: 5, starts: 5}}",
    "track at-least negative": "tracks: {t: {of: number, at-least: -@, at-most: 5, starts: 5}}",
    "track starts": "tracks: {t: {of: number, starts: @}}",
    "track starts value": "values: {v: @}\n---\ntracks: {t: {of: number, starts: v, at-most: 2000000000}}",
    "track starts expr": "tracks: {t: {of: number, at-most: 2000000000, starts: 'count(players) * @'}}",
    "list at-most": "lists: {l: {of: number, at-most: @}}",
    "award at-least": "award: wealth\nmajority: count(hand)\nat-least: @\nprize: {alone: 2}",
    "award prize": "award: wealth\nmajority: count(hand)\nprize: {alone: @, shared: 1}",
    "award prize shared": "award: wealth\nmajority: count(hand)\nprize: {alone: 1, shared: @}",
    "award sum": "award: wealth\nsum: @",
    "award prizes": "award: wealth\nrank: count(hand)\nprizes: [5, @]",
    "award prizes value": "values: {v: [5, @]}\n---\naward: wealth\nrank: count(hand)\nprizes: v",
    "award criterion": "winner: best\namong: players\norder: [most score + @]",
    "winner when": "winner: best\nwhen: rounds >= @\namong: players\norder: [most score]",
    "function": "function: f\nis: '@'\ngives: number",
    "modifier": "function: f\nis: 1\ngives: number\n---\nmodifier: m\nchanges: f\nis: result + @",
    "bot condition": "bot: b\nanswers: [{choice: 'play.act.choice', when: n > @, prefer: [take]}]",
    "bot score options": "bot: b\nanswers: [{choice: 'play.act.choice', score: {take: @, pass: 1}}]",
    "expect players": "expect: e\nplayers: @\nmean-length: at most 80 decisions",
    "expect most": "expect: e\nplayers: 2\nmean-length: at most @ decisions",
    "expect share": "expect: e\nplayers: 2\nfirst-seat-wins: at most @ %",
    "expect option": (
        "options: {stake: {number: 1 to 5, default: 1}}\n---\n"
        "expect: e\nplayers: 2\noptions: {stake: @}\nmean-length: at most 80 decisions"
    ),
    "scenario players": "scenario: S\nplayers: @\ngiven: {phase: play}\nthen: [n is 0]",
    "scenario seed": "scenario: S\nplayers: 2\nseed: @\nthen: [n is 0]",
    "scenario option": (
        "options: {stake: {number: 1 to 5, default: 1}}\n---\n"
        "scenario: S\nplayers: 2\noptions: {stake: @}\nthen: [n is 0]"
    ),
    "series until": "series: s\nuntil: rounds > @\nscore: rounds",
}
"""Documents."""

STATEMENTS: dict[str, str] = {
    "assign": "n = @",
    "add": "n += @",
    "subtract": "n -= @",
    "verb": "gain @ coins",
    "move amount": "move @ stones from bag to hand",
    "choose": "choose @ stones from bag as taken",
    "choose up to": "choose up to @ stones from bag as taken",
    "choose range": "choose 1 to @ stones from bag as taken",
    "pick": "pick @ stones from bag at random as taken",
    "let": "let k = @\nn = k",
    "repeat": "repeat @ times: n += 1",
    "condition": "if n > @: n += 1",
    "range high": "each k in 1 to @: n += k",
    "range low": "each k in @ to 5: n += k",
    "choose number": "choose 1 number from 1 to @ as k\nn = k",
    "mod": "n = n mod @",
    "div": "n = n div @",
    "times": "n = n * @",
    "minus": "n = n - @",
    "min": "n = min(n, @)",
    "max": "n = max(n, @)",
    "index": "n = n + numbers[@]",
    "in list": "if @ in numbers: n += 1",
    "total": "n = total @ over stones in bag",
    "top": "move top @ of bag to hand",
    "take": "each c in first @ of bag: n += 1",
    "list member": "add @ to numbers",
}
"""What a step does."""

STEPS: dict[str, str] = {
    "until": "turns: players\n    until: n >= @\n    do: coins += 1",
    "when": "turns: players\n    when: n > @\n    do: coins += 1",
    "together": "together: players\n    choose: {given: {number: @, from: hand}}",
    "together, most": "together: players\n    choose: {given: {number: 0 to @, from: hand}}",
    "together, least": "together: players\n    choose: {given: {number: '@ to 9', from: hand}}",
}
"""Keys of a step."""

SCENARIOS: dict[str, str] = {
    "given track": "given: {phase: play, n: @}\nthen: [n is 0]",
    "given player track": "given: {phase: play, ann: {coins: @}}\nthen: [n is 0]",
    "given member track": "given: {phase: play, ann: {fame: {red: @}}}\nthen: [n is 0]",
    "given score": "given: {phase: play, ann: {score: @}}\nthen: [n is 0]",
    "given list": "given: {phase: play, numbers: [1, @]}\nthen: [n is 0]",
    "given list one": "given: {phase: play, numbers: @}\nthen: [n is 0]",
    "given cards": "given: {phase: play, ann: {hand: [@ stone]}}\nthen: [n is 0]",
    "answer": "given: {phase: play}\nwhen:\n  - ann: {play.act.choice: @}\nthen: [n is 0]",
    "answer list": "given: {phase: play}\nwhen:\n  - ann: {play.act.choice: [@ stone]}\nthen: [n is 0]",
    "offers": "given: {phase: play}\nthen: [offers: {ann: [@]}]",
    "sees track": "given: {phase: play}\nthen: [sees: {ann: {n: @}}]",
    "sees cards": "given: {phase: play}\nthen: [sees: {ann: {hand: [@ stone]}}]",
    "fact": "given: {phase: play}\nthen: ['n is @']",
    "fact negative": "given: {phase: play}\nthen: ['n is 0 - @']",
}
"""What a scenario of Ann and Ben says."""

CHANGES: dict[str, str] = {
    "set": "change: gem/opal\nset: {size: {was: 2, to: @}}",
    "set plain": "change: gem/opal\nset: {size: @}",
    "matches": "change: every gem where size is 2\nmatches: @\nset: {size: 3}",
}
"""Changes of another pack."""

_ROUND = """\
round: play
steps:
  - id: act
    {}
  - id: count
    do: rounds += 1
until: rounds >= 2
"""
_HOUSE = "pack: house\nversion: 0.1.0\nformat: 3\nextends: {sample: '*'}\n---\n"
_REPLACED = ("round", "award", "winner")


def _sources() -> dict[str, str]:
    found = {f"document: {name}": text for name, text in DECLARED.items()}
    for name, text in STATEMENTS.items():
        block = "".join(f"\n      {line}" for line in text.split("\n"))
        found[f"statement: {name}"] = _ROUND.format(f"turns: players\n    do: |{block}")
    found.update((f"step: {name}", _ROUND.format(text)) for name, text in STEPS.items())
    for name, text in SCENARIOS.items():
        found[f"scenario: {name}"] = f"scenario: S\nplayers: [ann, ben]\n{text}"
    found.update((f"change: {name}", _HOUSE + text) for name, text in CHANGES.items())
    return found


SOURCES = _sources()
"""All places, by name."""


def loaded(name: str, number: str) -> Loaded:
    """Read the game with this text where the number is."""
    text = SOURCES[name].replace("@", number)
    kinds = [document.partition(":")[0] for document in text.split("---\n")]
    replaced = [kind for kind in _REPLACED if kind in kinds and not name.startswith("change")]
    game = "---\n".join(one for one in GAME.split("---\n") if one.partition(":")[0] not in replaced)
    base, place = ("base.yaml", game.encode()), (FILE, text.encode())
    if name.startswith("change"):
        return load_files(PackFiles(Path("game"), (base,)), more=[PackFiles(Path("house"), (place,))])
    return load_files(PackFiles(Path(), (base, place)))
