"""The platforms we render for, one line each."""

from renderer.backends.base import Backend
from renderer.backends.companions import COMPANIONS
from renderer.backends.kserve import KSERVE
from renderer.backends.kuberay import KUBERAY
from renderer.backends.kuscia import KUSCIA

BACKENDS: tuple[Backend, ...] = (KUSCIA, KSERVE, KUBERAY, COMPANIONS)
