"""The worked example of the documentation: the same numbers on every backend."""

from __future__ import annotations

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from docs import lstm_classifier as example
from tests.installed import INSTALLED


@pytest.mark.parametrize("backend", INSTALLED)
class TestExample:
    @pytest.mark.slow_on("jax")
    def test_equals_numpys_numbers_to_1e_12(self, backend: str) -> None:
        probabilities, loss = example.run(backend)
        expected, expected_loss = example.run("numpy")
        assert (probabilities.backend, loss.backend) == (backend, backend)
        assert probabilities.shape == (example.BATCH, example.CLASSES)
        assert np.abs(np.asarray(probabilities) - np.asarray(expected)).max() <= 1e-12
        assert abs(float(loss) - float(expected_loss)) <= 1e-12

    @pytest.mark.slow_on("jax")
    def test_equals_pytorchs_module(self, backend: str) -> None:
        """B24: recurrent layers."""
        torch = pytest.importorskip("torch")
        xp = namespace_of("torch")
        v = example.make_parameters(xp)
        x = example.numbers(xp, example.BATCH, example.TIME, example.FEATURES, step=2.0).data
        lstm = torch.nn.LSTM(
            example.FEATURES, example.HIDDEN, batch_first=True, dtype=torch.float64
        )
        with torch.no_grad():
            lstm.weight_ih_l0.copy_(v.lstm.kernel.data.T)
            lstm.weight_hh_l0.copy_(v.lstm.recurrent_kernel.data.T)
            lstm.bias_ih_l0.copy_(v.lstm.bias.data)
            lstm.bias_hh_l0.zero_()
            hidden, _ = lstm(x)
            logits = hidden[:, -1] @ v.head.w.data.T + v.head.b.data
            expected = torch.softmax(logits, -1).numpy()
        probabilities, _ = example.run(backend)
        assert np.abs(np.asarray(probabilities) - expected).max() <= 1e-12
