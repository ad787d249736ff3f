"""A scene as Blender's objects: meshes, camera, lamps and the world around them. One unit is a millimetre."""

from __future__ import annotations

import math
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from vision.synth.blender.materials import TINT, Shelf
from vision.synth.light import slant, turned
from vision.synth.optics import absorption
from vision.synth.scene import Array, Camera, Lamp, Light, Material, Mesh, Scene

Numbers = npt.NDArray[np.int32]

# Edges sharper than this stay sharp on smooth meshes: the rim of a coin, not its side.
SHARP = math.radians(40.0)
SENSOR = 36.0
# A face of stronger plastic stands for so much of it: light crosses two faces of a piece 2.5 mm thick.
FACE_MM = 1.25
FAR = 1e5


def build(bpy: Any, scene: Scene) -> None:
    """Empty Blender and put the whole scene into it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    shelf = Shelf(bpy)
    collection = bpy.context.scene.collection
    meshes: dict[int, Any] = {}
    for number, part in enumerate(scene.parts, start=1):
        # Parts may share a mesh, but Blender hangs materials on it: share only where these are the same, too.
        key = hash((id(part.mesh), *(id(material) for material in part.materials)))
        if key not in meshes:
            numbers, tint = one_plastic_a_body(part.mesh, part.materials)
            meshes[key] = _mesh(bpy, part.mesh, numbers, tint)
            for material in part.materials:
                meshes[key].materials.append(shelf.material(material, tinted=tint is not None))
        thing = bpy.data.objects.new(part.name, meshes[key])
        thing.matrix_world = _matrix(part.pose)
        thing.pass_index = number
        collection.objects.link(thing)
    _camera(bpy, scene.camera)
    _world(bpy, scene.light)
    for lamp in scene.light.lamps:
        _lamp(bpy, lamp)


def _matrix(pose: Array) -> Any:
    """Rows as Blender wants them; its maths module exists only once ``bpy`` is loaded."""
    return import_module("mathutils").Matrix(pose.tolist())


def one_plastic_a_body(mesh: Mesh, materials: tuple[Material, ...]) -> tuple[Numbers | None, Array | None]:
    """The material of each face, one translucent material for every closed body, and the tint that makes up for it.

    Light that enters through a face of one plastic and leaves through a face of another would, for Blender, never
    have left the first: it would darken to black. So a body is filled with its lightest plastic, and faces of a
    stronger one are tinted by the difference. Bodies are what hangs together by common points.
    """
    clear = np.array([material.kind == "translucent" for material in materials])
    if mesh.material is None or clear.sum() < 2:
        return mesh.material, None
    taken = np.array(
        [absorption(material) if material.kind == "translucent" else np.zeros(3) for material in materials]
    )
    chosen = mesh.material.copy()
    glassy = clear[chosen]
    body = _body_of_faces(mesh)
    for number in np.unique(body[glassy]):
        here = glassy & (body == number)
        present = np.unique(chosen[here])
        chosen[here] = present[taken[present].sum(axis=1).argmin()]
    more = np.maximum(taken[mesh.material] - taken[chosen], 0.0)
    return chosen, np.asarray(np.exp(-more * FACE_MM))


def _body_of_faces(mesh: Mesh) -> Numbers:
    following = np.roll(mesh.faces, -1, axis=1)
    following[mesh.faces[:, 3] < 0, 2] = mesh.faces[mesh.faces[:, 3] < 0, 0]
    edges = np.stack([mesh.faces, following], axis=-1).reshape(-1, 2)
    edges = edges[(edges >= 0).all(axis=1)]
    count = len(mesh.vertices)
    links = coo_matrix((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(count, count))
    return np.asarray(connected_components(links, directed=False)[1][mesh.faces[:, 0]], dtype=np.int32)


def _mesh(bpy: Any, mesh: Mesh, material: Numbers | None, tint: Array | None) -> Any:
    made = bpy.data.meshes.new("mesh")
    corner_used = mesh.faces >= 0
    sizes = corner_used.sum(axis=1).astype(np.int32)
    corners = mesh.faces[corner_used].astype(np.int32)
    made.vertices.add(len(mesh.vertices))
    made.vertices.foreach_set("co", mesh.vertices.astype(np.float32).ravel())
    made.loops.add(len(corners))
    made.loops.foreach_set("vertex_index", corners)
    made.polygons.add(len(sizes))
    made.polygons.foreach_set("loop_start", np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int32))
    if material is not None:
        made.polygons.foreach_set("material_index", material.astype(np.int32))
    if mesh.uv is not None:
        layer = made.uv_layers.new(name="uv")
        layer.uv.foreach_set("vector", mesh.uv[corner_used].astype(np.float32).ravel())
    if tint is not None:
        colours = made.attributes.new(TINT, "FLOAT_COLOR", "CORNER")
        alpha = np.ones((len(tint), 1))
        colours.data.foreach_set("color", np.repeat(np.hstack([tint, alpha]), sizes, axis=0).astype(np.float32).ravel())
    made.polygons.foreach_set("use_smooth", np.full(len(sizes), mesh.smooth))
    made.update(calc_edges=True)
    if mesh.smooth:
        made.set_sharp_from_angle(angle=SHARP)
    return made


# ---------------------------------------------------------------- camera


def _camera(bpy: Any, camera: Camera) -> None:
    """OpenCV's pinhole as Blender's camera.

    Pixel centres are whole numbers in OpenCV, so the picture reaches from -0.5 to width - 0.5. Blender measures
    the shift of the principal point in widths of the sensor.
    """
    wide, high = camera.pinhole_size
    matrix = camera.pinhole_matrix
    eye = bpy.data.cameras.new("camera")
    eye.sensor_fit = "HORIZONTAL"
    eye.sensor_width = SENSOR
    eye.lens = SENSOR * matrix[0, 0] / wide
    eye.shift_x = ((wide - 1) / 2 - matrix[0, 2]) / wide
    eye.shift_y = (matrix[1, 2] - (high - 1) / 2) / wide * (matrix[0, 0] / matrix[1, 1])
    eye.clip_start, eye.clip_end = 1.0, FAR
    if camera.aperture_mm > 0.0:
        eye.dof.use_dof = True
        eye.dof.focus_distance = camera.focus_mm
        # Blender takes the focal length for real millimetres and its units for metres.
        eye.dof.aperture_fstop = eye.lens * 1e-3 / camera.aperture_mm
    thing = bpy.data.objects.new("camera", eye)
    thing.matrix_world = _matrix(camera_pose(camera))
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def camera_pose(camera: Camera) -> Array:
    """From Blender's camera frame (y up, looking along -z) to the world."""
    pose = np.eye(4)
    pose[:3, :3] = camera.rotation.T @ np.diag([1.0, -1.0, -1.0])
    pose[:3, 3] = camera.position
    return pose


# ---------------------------------------------------------------- light


def _world(bpy: Any, light: Light) -> None:
    sky = turned(light.environment, light.turn)
    height, width = sky.shape[:2]
    image = bpy.data.images.new("sky", width, height, alpha=False, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"
    full = np.ones((height, width, 4), dtype=np.float32)
    full[..., :3] = sky[::-1]
    image.pixels.foreach_set(full.ravel())
    world = bpy.data.worlds.new("world")
    nodes, links = world.node_tree.nodes, world.node_tree.links
    nodes.clear()
    picture = nodes.new("ShaderNodeTexEnvironment")
    picture.image = image
    background = nodes.new("ShaderNodeBackground")
    background.inputs["Strength"].default_value = light.environment_strength
    output = nodes.new("ShaderNodeOutputWorld")
    links.new(picture.outputs["Color"], background.inputs["Color"])
    links.new(background.outputs[0], output.inputs["Surface"])
    bpy.context.scene.world = world


def _lamp(bpy: Any, lamp: Lamp) -> None:
    """A lamp whose power gives a white table top at the origin the radiance ``strength``."""
    place = np.array(lamp.position, dtype=np.float64)
    squared = float(place @ place)
    straight = lamp.strength / slant(lamp)  # on a surface that faces the lamp
    data = bpy.data.lights.new("lamp", {"sun": "SUN", "area": "AREA", "point": "POINT"}[lamp.kind])
    data.color = lamp.colour
    if lamp.kind == "sun":
        data.angle = math.radians(max(lamp.size_mm, 0.1))
        data.energy = math.pi * straight
    elif lamp.kind == "area":
        radius = max(lamp.size_mm, 1.0) / 2
        data.shape, data.size = "DISK", 2 * radius
        data.energy = math.pi**2 * (squared + radius**2) * straight
    else:
        data.shadow_soft_size = max(lamp.size_mm, 2.0) / 2
        data.energy = 4 * math.pi**2 * squared * straight
    thing = bpy.data.objects.new("lamp", data)
    thing.matrix_world = _matrix(_facing_origin(place))
    thing.visible_camera = False  # a lamp within the field of view would hide the board
    bpy.context.scene.collection.objects.link(thing)


def _facing_origin(place: Array) -> Array:
    """Lamps shine along their own -z."""
    back = place / np.linalg.norm(place)
    side = np.cross([0.0, 1.0, 0.0] if abs(back[1]) < 0.9 else [1.0, 0.0, 0.0], back)
    side /= np.linalg.norm(side)
    pose = np.eye(4)
    pose[:3, 0], pose[:3, 1], pose[:3, 2], pose[:3, 3] = side, np.cross(back, side), back, place
    return pose
