"""From a seed to a photo with its truth: draw a layout, build the stage, choose a view, render, develop.

Every random decision of a frame comes from streams that depend on (seed, game, frame number) alone, one stream
for each department: frames can be made in any order, by any number of processes, on any machine.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Literal
from zlib import crc32

import numpy as np

from calibration.profiles import Profile, load_profile, profile_names
from engine.documents import Position
from engine.errors import UsageError
from vision.synth import fast, negatives, phone
from vision.synth.camera import project, sample_camera
from vision.synth.layouts import NEGATIVES, Layout, negative_layout, sample_layout
from vision.synth.light import sample_light
from vision.synth.mixing import mixed_profile
from vision.synth.saving import Exif, sample_exif
from vision.synth.scene import Array, Camera, Light, Picture, Scene
from vision.synth.stage import Stage, build_stage
from vision.synth.truth import truth_of
from vision.synth.turning import Turner, possible_turns, turn_corners, turn_matrix, turn_points, upright_turn

BACKENDS: Final = ("fast", "blender")
Backend = Literal["fast", "blender"]
# Photos without a (whole) board: a few of them as in layouts.py, none, or nothing else.
NegativeShare = Literal["some", "none", "only"]

# Training size: 0.79 megapixels, in the shapes that phones and their users' cropping give.
PIXELS: Final = 1024 * 768
SHAPES: Final = ((4 / 3, 0.36), (3 / 4, 0.32), (16 / 9, 0.07), (9 / 16, 0.07), (1.0, 0.06))
_WITHOUT_CLUTTER: Final = 0.3


@dataclass(frozen=True, slots=True)
class Order:
    """What was asked for. Photos depend on these fields and their own number, and on nothing else."""

    game: str
    seed: int
    profiles: tuple[str, ...]  # one of them is drawn for each photo
    size: tuple[int, int] | None = None  # None: training size, in various shapes
    backend: Backend = "fast"
    samples: int = 12
    position: str | None = None  # JSON of the state that every photo shows; None: drawn at random
    mixed: bool = False  # every photo shows a set of its own, mixed from the parts of the profiles
    negatives: NegativeShare = "some"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A scene with what the files need beside it."""

    scene: Scene
    kind: str
    exif: Exif
    frame: int


def position_text(position: Position) -> str:
    """A position for ``Order.position``: JSON without spaces, because it is part of what photos depend on."""
    return json.dumps(position.game.dump(position.state), separators=(",", ":"))


def possible_profiles(game: str, name: str | None, held_out: bool) -> tuple[str, ...]:
    """The profiles to draw from: the named one, or all of the game, held-out ones only when asked for."""
    if name is None:
        return profile_names(game, held_out)
    profile = load_profile(name)
    if game not in profile.games:
        fitting = ", ".join(profile_names(game))
        raise UsageError(f'the profile "{name}" has no pieces for {game}; take one of {fitting}.')
    return (name,)


@cache
def _stream_key(name: str) -> int:
    return crc32(name.encode())


def stream(order: Order, frame: int, department: str) -> np.random.Generator:
    """The random numbers of one department for one frame."""
    return np.random.default_rng([order.seed, _stream_key(order.game), frame, _stream_key(department)])


def make_shot(order: Order, frame: int) -> Shot:
    """The scene of one photo, seen so that its state is turned as FORMATS asks."""
    profile = _profile(order, frame)
    layout = _layout(order, frame, profile)
    size = order.size or _some_size(stream(order, frame, "size"))
    stage = _stage(order, frame, profile, layout)
    camera = sample_camera(stream(order, frame, "camera"), stage.corners, size, around=_whole_board(stage))
    light = sample_light(stream(order, frame, "light"), tuple(profile.environments))
    scene = Scene(
        parts=stage.parts,
        camera=camera,
        light=light,
        phone=phone.sample_phone(stream(order, frame, "phone")),
        state=layout.state,
        corners=stage.corners,
        game=order.game,
        profile=profile.name,
        seed=order.seed,
        patches=stage.patches,
        surfaces=stage.surfaces,
    )
    scene = _spoiled(order, frame, scene, layout) if layout.is_negative else upright(scene)
    return Shot(scene, layout.kind, sample_exif(stream(order, frame, "exif"), scene.camera), frame)


def make_scene(game: str, profile: str, seed: int, index: int, size: tuple[int, int] | None = None) -> Scene:
    """The scene of one photo of a data set that is dressed by one profile."""
    return make_shot(Order(game, seed, (profile,), size), index).scene


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A developed photo, upright, with its truth."""

    pixels: Picture
    truth: dict[str, Any]


def render_photo(shot: Shot, order: Order) -> Photo:
    """Render with the back end of the order and develop; the truth comes from the scene, so it is the same for both."""
    scene = shot.scene
    develop_rng = stream(order, shot.frame, "develop")
    if order.backend == "blender":
        from vision.synth import blender

        frame = blender.render(scene, order.samples)
        index = fast.index_pass(scene)  # a rasterised index is exact; a path-traced one costs another render
    else:
        frame = fast.render(scene, with_index=True)
        assert frame.index is not None
        index = frame.index
    pixels = phone.develop(frame, scene.camera, scene.phone, develop_rng)
    seen = phone.develop_index(index, scene.camera)
    truth = truth_of(scene, seen, backend=order.backend, kind=shot.kind, frame=shot.frame)
    return Photo(pixels, truth)


def upright(scene: Scene) -> Scene:
    """The same scene with its board named, and its world turned, as the orientation rule of FORMATS wants it."""
    assert scene.state is not None
    assert scene.corners is not None
    quarters = upright_turn(project(scene.camera, scene.corners), possible_turns(scene.state))
    if quarters == 0:
        return scene
    turner = Turner.of(scene.state, quarters)
    turn = turn_matrix(quarters)
    return replace(
        scene,
        parts=tuple(replace(part, name=turner.name(part.name), pose=turn @ part.pose) for part in scene.parts),
        # Eye and light turn with the table, so that the photo stays the same.
        camera=replace(scene.camera, rotation=scene.camera.rotation @ turn[:3, :3].T),
        light=_turned_light(scene.light, quarters),
        state=turner.state(scene.state),
        corners=turn_corners(turn_points(scene.corners, quarters), quarters),
        patches={turner.name(name): turn_points(points, quarters) for name, points in scene.patches.items()},
        surfaces={turner.name(name): turner.name(part) for name, part in scene.surfaces.items()},
    )


def _turned_light(light: Light, quarters: int) -> Light:
    lamps = []
    for lamp in light.lamps:
        x, y, z = turn_points(np.array(lamp.position), quarters)
        lamps.append(replace(lamp, position=(float(x), float(y), float(z))))
    return replace(light, turn=(light.turn + 90.0 * quarters) % 360.0, lamps=tuple(lamps))


def _layout(order: Order, frame: int, profile: Profile) -> Layout:
    if order.position is not None:
        return Layout(json.loads(order.position), "given")
    rng = stream(order, frame, "layout")
    if order.negatives == "only":
        return negative_layout(rng, order.game, profile, NEGATIVES[frame % len(NEGATIVES)])
    layout = sample_layout(rng, order.game, profile)
    while layout.is_negative and order.negatives == "none":
        layout = sample_layout(rng, order.game, profile)
    return layout


def _profile(order: Order, frame: int) -> Profile:
    rng = stream(order, frame, "profile")
    if order.mixed:
        return mixed_profile(rng, order.game, [load_profile(name) for name in order.profiles])
    return load_profile(order.profiles[int(rng.integers(len(order.profiles)))])


def _some_size(rng: np.random.Generator) -> tuple[int, int]:
    """Training size in the shape of a phone's photo, or (12 %) as somebody cropped it."""
    draw = rng.random()
    aspect = float(np.exp(rng.uniform(-0.45, 0.45)))
    for shape, share in SHAPES:
        if draw < share:
            aspect = shape
            break
        draw -= share
    width = 8 * round((PIXELS * aspect) ** 0.5 / 8)
    return width, 8 * round(PIXELS / width / 8)


def _stage(order: Order, frame: int, profile: Profile, layout: Layout) -> Stage:
    rng = stream(order, frame, "stage")
    table = str(rng.choice(profile.tables))
    clutter = bool(rng.random() >= _WITHOUT_CLUTTER)
    # A negative without a board is built on a board all the same: where it would lie decides where the camera looks.
    state = layout.state
    if state is None:
        state = _stand_in(stream(order, frame, "stand-in"), order.game, profile)
    return build_stage(state, profile, rng, clutter=clutter, table=table)


def _whole_board(stage: Stage) -> Array:
    """The corners of the board with its border, NW, NE, SE, SW."""
    x, y = stage.extent[0] / 2, stage.extent[1] / 2
    return np.array([(-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0), (-x, -y, 0.0)])


def _stand_in(rng: np.random.Generator, game: str, profile: Profile) -> dict[str, Any]:
    while True:
        state = sample_layout(rng, game, profile).state
        if state is not None:
            return state


def _spoiled(order: Order, frame: int, scene: Scene, layout: Layout) -> Scene:
    """The scene without a (whole) board."""
    rng = stream(order, frame, "negative")
    assert scene.corners is not None
    parts, camera = scene.parts, scene.camera
    decoy: Array | None = scene.corners
    if layout.kind == "part" and scene.game == "alien-city" and rng.random() < 0.5:
        parts = negatives.some_tiles(rng, parts)
    elif layout.kind == "part":
        camera = _cropped(rng, scene)
    else:
        parts, decoy = negatives.bare_table(parts), None
    if layout.kind == "other-game":
        ground = negatives.table_height(parts)
        game, decoy = negatives.another_game(rng, ground, negatives.board_extent(scene.corners))
        parts += game
    return replace(scene, parts=parts, camera=camera, state=None, corners=None, patches={}, surfaces={}, decoy=decoy)


def _cropped(rng: np.random.Generator, scene: Scene) -> Camera:
    assert scene.corners is not None
    return negatives.cropped(rng, scene.camera, scene.corners)
