"""One photo: build the scene, trace it, read the linear picture back."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.errors import UsageError
from vision.synth.blender.building import build
from vision.synth.blender.module import load, silence, threads_wished
from vision.synth.scene import Camera, Frame, Scene


def render(
    scene: Scene, samples: int = 12, with_index: bool = False, scale: float = 0.8, threads: int | None = None
) -> Frame:
    """The scene path-traced at ``scale`` of its size, denoised and enlarged, as linear RGB.

    ``threads`` (or the variable CITYSCAN_BLENDER_THREADS) keeps Blender from taking every core; 0 takes all.
    """
    if samples < 1 or not 0.05 <= scale <= 2.0:
        raise UsageError(f"samples must be at least 1 and scale between 0.05 and 2, not {samples} and {scale}.")
    threads = threads_wished() if threads is None else threads
    bpy = load(threads)
    with silence(), tempfile.TemporaryDirectory() as folder:
        build(bpy, scene)
        _common_settings(bpy, scene, threads)
        _path_tracing(bpy, samples)
        picture = _trace(bpy, scene.camera, scale, Path(folder) / "photo.exr")
        index = None
        if with_index:
            _index_settings(bpy)
            index = np.rint(_trace(bpy, scene.camera, 1.0, Path(folder) / "index.exr")[..., 0]).astype(np.int32)
        # Leaves no meshes and pictures behind: the next scene starts from nothing.
        bpy.ops.wm.read_factory_settings(use_empty=True)
    size = scene.camera.pinhole_size
    if picture.shape[1::-1] != size:
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    return Frame(np.maximum(picture, 0.0), index)


def _common_settings(bpy: Any, scene: Scene, threads: int) -> None:
    setting = bpy.context.scene
    setting.render.engine = "CYCLES"
    setting.cycles.device = "CPU"
    # One seed makes many photos; where the eye stands tells them apart, or all would share one pattern of noise.
    setting.cycles.seed = (scene.seed * 7919 + round(float(scene.camera.position.sum()))) % 2**31
    setting.cycles.use_adaptive_sampling = False
    setting.cycles.use_auto_tile = False
    setting.render.use_persistent_data = False
    setting.render.use_motion_blur = False
    setting.render.use_compositing = False
    setting.render.use_sequencer = False
    setting.render.dither_intensity = 0.0
    setting.render.threads_mode = "FIXED" if threads > 0 else "AUTO"
    if threads > 0:
        setting.render.threads = threads
    # A float picture is stored as the light itself; the view transform below concerns nothing that is read.
    setting.view_settings.view_transform = "Raw"
    setting.render.image_settings.file_format = "OPEN_EXR"
    setting.render.image_settings.color_mode = "RGB"
    setting.render.image_settings.color_depth = "32"
    setting.render.image_settings.exr_codec = "NONE"


def _path_tracing(bpy: Any, samples: int) -> None:
    cycles = bpy.context.scene.cycles
    cycles.samples = samples
    cycles.use_denoising = True
    cycles.denoiser = "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    cycles.denoising_prefilter = "ACCURATE"
    cycles.max_bounces = 12
    cycles.diffuse_bounces = 3
    cycles.glossy_bounces = 8
    cycles.transmission_bounces = 10
    cycles.transparent_max_bounces = 16
    cycles.volume_bounces = 0
    cycles.caustics_reflective = False
    cycles.caustics_refractive = False
    # A stray path as bright as a lamp would leave a blot that no denoiser removes.
    cycles.sample_clamp_indirect = 4.0
    cycles.sample_clamp_direct = 40.0
    cycles.pixel_filter_type = "BLACKMAN_HARRIS"
    cycles.filter_width = 1.5


def _index_settings(bpy: Any) -> None:
    """Every part glows with its number: one ray through the middle of each pixel, everything opaque, all in focus."""
    setting = bpy.context.scene
    setting.cycles.samples = 1
    setting.cycles.use_denoising = False
    setting.cycles.max_bounces = 0
    setting.cycles.sample_clamp_direct = 0.0
    setting.cycles.sample_clamp_indirect = 0.0
    setting.cycles.pixel_filter_type = "BOX"
    setting.cycles.filter_width = 0.01
    setting.camera.data.dof.use_dof = False
    setting.world = None
    for thing in list(bpy.data.objects):
        if thing.type == "LIGHT":
            bpy.data.objects.remove(thing)
    number = bpy.data.materials.new("number")
    nodes, links = number.node_tree.nodes, number.node_tree.links
    nodes.clear()
    info = nodes.new("ShaderNodeObjectInfo")
    glow = nodes.new("ShaderNodeEmission")
    output = nodes.new("ShaderNodeOutputMaterial")
    links.new(info.outputs["Object Index"], glow.inputs["Strength"])
    glow.inputs["Color"].default_value = (1.0, 1.0, 1.0, 1.0)
    links.new(glow.outputs[0], output.inputs["Surface"])
    bpy.context.view_layer.material_override = number


def _trace(bpy: Any, camera: Camera, scale: float, path: Path) -> npt.NDArray[np.float32]:
    """Render at that share of the size, and the picture as rows from the top."""
    wide, high = (max(round(side * scale), 1) for side in camera.pinhole_size)
    setting = bpy.context.scene.render
    setting.resolution_x, setting.resolution_y, setting.resolution_percentage = wide, high, 100
    # Pixels that are not square make up for a focal length that differs, and for the rounding of the size.
    matrix, (full_wide, full_high) = camera.pinhole_matrix, camera.pinhole_size
    stretch = (matrix[1, 1] * high / full_high) / (matrix[0, 0] * wide / full_wide)
    setting.pixel_aspect_x, setting.pixel_aspect_y = max(stretch, 1.0), max(1.0 / stretch, 1.0)
    setting.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name = "Non-Color"
    pixels = np.empty(wide * high * image.channels, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    bpy.data.images.remove(image)
    return np.ascontiguousarray(pixels.reshape(high, wide, -1)[::-1, :, :3])
