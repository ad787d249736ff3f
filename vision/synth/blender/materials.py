"""Scene materials as Blender's shader nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.synth.optics import PLASTIC_INDEX, absorption, linear
from vision.synth.scene import Material, Picture

# What each opaque kind sets in Blender's Principled BSDF beside colour and roughness.
KINDS: dict[str, dict[str, float]] = {
    "plastic": {"IOR": PLASTIC_INDEX, "Subsurface Weight": 0.0},
    "paper": {"IOR": 1.4, "Specular IOR Level": 0.35},
    "wood": {"IOR": 1.45, "Specular IOR Level": 0.45},
    "cloth": {"IOR": 1.4, "Specular IOR Level": 0.1, "Sheen Weight": 0.25, "Sheen Roughness": 0.5},
    "stone": {"IOR": 1.5},
    "metal": {"Metallic": 1.0},
    "skin": {"IOR": 1.4, "Specular IOR Level": 0.5, "Sheen Weight": 0.08},
}

# After so many bends and reflections a ray leaves translucent plastic on a straight line.
MIRRORED = 2
# The attribute of a mesh that colours its faces beyond their material.
TINT = "tint"


@dataclass(slots=True)
class Shelf:
    """The materials and pictures of one scene, each made once however many parts share it."""

    bpy: Any
    materials: dict[tuple[int, bool], Any] = field(default_factory=dict)
    pictures: dict[int, Any] = field(default_factory=dict)

    def material(self, material: Material, *, tinted: bool = False) -> Any:
        """Blender's material for ours; ``tinted`` plastic is coloured by the mesh's attribute TINT, too."""
        key = (id(material), tinted)
        made = self.materials.get(key)
        if made is None:
            made = self.bpy.data.materials.new("material")
            made.node_tree.nodes.clear()
            if material.kind == "translucent":
                _translucent(self, made.node_tree, material, tinted)
            else:
                _opaque(self, made.node_tree, material)
            self.materials[key] = made
        return made

    def picture(self, pixels: Picture, *, colour: bool) -> Any:
        """An image block from 8-bit pixels (grey, RGB or RGBA, row 0 at the top)."""
        made = self.pictures.get(id(pixels))
        if made is None:
            height, width = pixels.shape[:2]
            made = self.bpy.data.images.new("picture", width, height, alpha=True)
            made.colorspace_settings.name = "sRGB" if colour else "Non-Color"
            made.alpha_mode = "CHANNEL_PACKED"
            full = np.ones((height, width, 4), dtype=np.float32)
            shown = pixels[..., None] if pixels.ndim == 2 else pixels
            full[..., : max(shown.shape[2], 3)] = shown[::-1] / np.float32(255.0)
            made.pixels.foreach_set(full.ravel())
            self.pictures[id(pixels)] = made
        return made


def _opaque(shelf: Shelf, tree: Any, material: Material) -> None:
    shader = tree.nodes.new("ShaderNodeBsdfPrincipled")
    shader.inputs["Roughness"].default_value = material.roughness
    for name, value in KINDS[material.kind].items():
        shader.inputs[name].default_value = value
    _colour(shelf, tree, material, shader.inputs["Base Color"], shader.inputs["Alpha"])
    _bump(shelf, tree, material, shader.inputs["Normal"])
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(shader.outputs[0], output.inputs["Surface"])


def _translucent(shelf: Shelf, tree: Any, material: Material, tinted: bool) -> None:
    """Clear plastic that takes colour out of the light on its way through.

    The eye sees true refraction. Light that falls on other things is let straight through (a transparent
    surface): the shadow is coloured by the plastic's thickness, and there are no caustics, which a dozen
    samples could only show as noise.
    """
    nodes, links = tree.nodes, tree.links
    glass = nodes.new("ShaderNodeBsdfPrincipled")
    glass.inputs["Base Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    glass.inputs["Transmission Weight"].default_value = 1.0
    glass.inputs["IOR"].default_value = PLASTIC_INDEX
    glass.inputs["Roughness"].default_value = material.roughness
    _bump(shelf, tree, material, glass.inputs["Normal"])
    through = nodes.new("ShaderNodeBsdfTransparent")
    through.inputs["Color"].default_value = (0.94, 0.94, 0.94, 1.0)  # what two mirrored surfaces keep back
    if tinted:
        _tint(tree, glass.inputs["Base Color"], through.inputs["Color"])
    straight = _let_straight_through(tree)
    mix = nodes.new("ShaderNodeMixShader")
    links.new(straight.outputs[0], mix.inputs["Fac"])
    links.new(glass.outputs[0], mix.inputs[1])
    links.new(through.outputs[0], mix.inputs[2])
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(mix.outputs[0], output.inputs["Surface"])
    if material.density > 0.0:
        _tinted_body(tree, material, output)


def _tint(tree: Any, refracted: Any, straight: Any) -> None:
    """Colour both ways through the surface. For refraction Blender takes the root of the colour at each face."""
    given = tree.nodes.new("ShaderNodeAttribute")
    given.attribute_name = TINT
    squared = tree.nodes.new("ShaderNodeVectorMath")
    squared.operation = "MULTIPLY"
    for side in (0, 1):
        tree.links.new(given.outputs["Color"], squared.inputs[side])
    tree.links.new(squared.outputs[0], refracted)
    tree.links.new(given.outputs["Color"], straight)


def _let_straight_through(tree: Any) -> Any:
    """1 for rays that pass without bending: towards lamps, from dull surfaces, and those that have been mirrored to
    and fro inside an edge so often that following them on would only end in black."""
    path = tree.nodes.new("ShaderNodeLightPath")
    lost = tree.nodes.new("ShaderNodeMath")
    lost.operation = "GREATER_THAN"
    lost.inputs[1].default_value = MIRRORED + 0.5
    tree.links.new(path.outputs["Ray Depth"], lost.inputs[0])
    chosen = lost
    for name in ("Is Shadow Ray", "Is Diffuse Ray"):
        either = tree.nodes.new("ShaderNodeMath")
        either.operation = "MAXIMUM"
        tree.links.new(chosen.outputs[0], either.inputs[0])
        tree.links.new(path.outputs[name], either.inputs[1])
        chosen = either
    return chosen


def _tinted_body(tree: Any, material: Material, output: Any) -> None:
    """Blender takes ``density * (1 - colour)`` of the light in each channel per unit of length, here a millimetre."""
    taken = absorption(material)
    strongest = float(taken.max())
    body = tree.nodes.new("ShaderNodeVolumeAbsorption")
    body.inputs["Density"].default_value = strongest
    body.inputs["Color"].default_value = (*(1.0 - taken / strongest).tolist(), 1.0)
    tree.links.new(body.outputs[0], output.inputs["Volume"])


def _colour(shelf: Shelf, tree: Any, material: Material, base: Any, alpha: Any) -> None:
    base.default_value = (*linear(material.colour).tolist(), 1.0)
    if material.texture is None:
        return
    image = tree.nodes.new("ShaderNodeTexImage")
    image.image = shelf.picture(material.texture, colour=True)
    tree.links.new(image.outputs["Color"], base)
    if material.texture.ndim == 3 and material.texture.shape[2] == 4:
        tree.links.new(image.outputs["Alpha"], alpha)


def _bump(shelf: Shelf, tree: Any, material: Material, normal: Any) -> None:
    if material.bump is None or material.bump_mm <= 0.0:
        return
    height = tree.nodes.new("ShaderNodeTexImage")
    height.image = shelf.picture(material.bump, colour=False)
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Distance"].default_value = material.bump_mm
    bump.inputs["Strength"].default_value = 1.0
    tree.links.new(height.outputs["Color"], bump.inputs["Height"])
    tree.links.new(bump.outputs["Normal"], normal)
