"""The public face: every name is there, documented, with an example that runs."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import attention_core as ac

MODULES = [f"attention_core.{module.name}" for module in pkgutil.iter_modules(ac.__path__) if not module.ispkg]


@pytest.mark.parametrize("module", ["attention_core", *MODULES])
def test_the_examples_run(module):
    results = doctest.testmod(importlib.import_module(module))
    assert results.failed == 0


@pytest.mark.parametrize("name", [name for name in ac.__all__ if inspect.isfunction(getattr(ac, name))])
def test_every_public_function_is_documented_with_an_example(name):
    text = inspect.getdoc(getattr(ac, name))
    assert "Returns\n-------" in text
    assert ">>>" in text
    assert "array_like" in text or name.startswith("random_") or name == "word_vectors"


def test_all_names_are_there_and_sorted():
    assert all(hasattr(ac, name) for name in ac.__all__)
    assert ac.__all__ == sorted(ac.__all__, key=lambda name: (not name.isupper(), name.lower() == name, name))
