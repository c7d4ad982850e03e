"""JAX arrays split over several devices: the setting that splits them, and the share that was.

The devices are XLA's, made of the one CPU. A new array whose first axis divides evenly is split,
any other one is whole on each device. Of the shapes that the official suite draws, hardly any
divides, so this module is a pytest plugin, too: it rounds the first side of most shapes up to a
multiple of the number of devices, and changes nothing else.
"""

import functools
import importlib
import os
from collections.abc import Callable
from typing import Any

import pytest

from .counting import Writer
from .errors import NamespaceError

NUMBER = "COMPLIANCE_SPLIT"  # the number of devices for which shapes are drawn, and arrays counted
AXIS = "devices"
KINDS = {"split2": 2, "split4": 4}  # the kinds of such runs, with their numbers of devices
_THREADS = 4  # for each device
_FLAG = "--xla_force_host_platform_device_count"

Shape = tuple[int, ...]


def prepare(number: int) -> None:
    """Make XLA have several devices.

    The collectives of a CPU wait for each other, each in a thread of its own. XLA has a thread for
    each core, and ends the process if a collective waits for one for 40 seconds. So it gets more
    threads, and one program is run after another.
    """
    others = [flag for flag in os.environ.get("XLA_FLAGS", "").split() if _FLAG not in flag]
    os.environ["XLA_FLAGS"] = " ".join([*others, f"{_FLAG}={number}"])
    os.environ["NPROC"] = str(max(os.cpu_count() or 1, _THREADS * number))
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    if len(jax.devices()) != number:
        raise NamespaceError(
            f"JAX is in use already, and has {len(jax.devices())} devices.",
            f"Set XLA_FLAGS={_FLAG}={number} before this process uses JAX.",
        )


def split(namespace: Any, number: int) -> None:
    """Make a namespace create arrays on a mesh of all devices."""
    namespace.set_default_device(f"mesh[{AXIS}={number}]('{AXIS}',)")


def _count(strategy: Any) -> dict[str, int]:
    """Count the arrays that Hypothesis makes from now on, and those of them that are split."""
    counted = {"arrays": 0, "arrays_on_devices": 0}
    make = strategy.do_draw

    @functools.wraps(make)
    def counting(self: Any, data: Any) -> Any:
        made = make(self, data)
        counted["arrays"] += 1
        counted["arrays_on_devices"] += not made.data.sharding.is_fully_replicated
        return made

    strategy.do_draw = counting
    return counted


def rounded(shape: Shape, number: int) -> Shape:
    """Return a shape whose first side is a multiple; no side becomes one."""
    return (-(-shape[0] // number) * number, *shape[1:]) if shape else (number,)


def all_rounded(shapes: Any, number: int) -> Any:
    """Return shapes that broadcast, whose result's first side is a multiple."""
    if not shapes.result_shape:
        return shapes
    result = rounded(shapes.result_shape, number)
    wide = shapes.result_shape[0]  # sides of one element stay if they broadcast
    inputs = [
        (result[0], *shape[1:]) if len(shape) == len(result) and shape[0] == wide else shape
        for shape in shapes.input_shapes
    ]
    return type(shapes)(tuple(inputs), result)


def _with(draw: Callable[..., Any], change: Callable[..., Any], number: int) -> Callable[..., Any]:
    """Return a strategy three of four of whose shapes are changed, as far as arguments allow."""

    @functools.wraps(draw)
    def changed(*args: Any, **kwargs: Any) -> Any:
        drawn = draw(*args, **kwargs)
        if kwargs.get("base_shape") or kwargs.get("signature") or kwargs.get("max_dims") == 0:
            return drawn
        integers: Any = importlib.import_module("hypothesis.strategies").integers
        several = integers(0, 3).map(lambda n: n < 3)
        return drawn.flatmap(
            lambda found: several.map(lambda yes: change(found, number) if yes else found)
        )

    return changed


def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Draw shapes that divide, and count arrays, where a run says so: before the suite is."""
    if number := int(os.environ.get(NUMBER) or 0):
        drawing: Any = importlib.import_module("hypothesis.extra.array_api")
        changes = {"array_shapes": rounded, "mutually_broadcastable_shapes": all_rounded}
        for name, change in changes.items():
            setattr(drawing, name, _with(getattr(drawing, name), change, number))
        counted = _count(drawing.ArrayStrategy)
        early_config.pluginmanager.register(Writer(counted), "compliance-splits")
