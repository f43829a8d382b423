# Copyright 2026 The warpclust authors
# SPDX-License-Identifier: Apache-2.0
"""BaseEstimator and ClusterMixin: scikit-learn's, or as much of them as is needed."""

import inspect

try:
    from sklearn.base import BaseEstimator, ClusterMixin
except ImportError:

    class BaseEstimator:
        """Parameters of the constructor, read and set by name."""

        def get_params(self, deep=True):
            names = list(inspect.signature(type(self)).parameters)
            return {name: getattr(self, name) for name in names}

        def set_params(self, **params):
            known = self.get_params()
            for name, value in params.items():
                if name not in known:
                    raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
                setattr(self, name, value)
            return self

        def __repr__(self):
            defaults = inspect.signature(type(self)).parameters
            given = [
                f"{name}={value!r}"
                for name, value in self.get_params().items()
                if value is not defaults[name].default
            ]
            return f"{type(self).__name__}({', '.join(given)})"

    class ClusterMixin:
        """fit_predict by fit."""

        def fit_predict(self, X, y=None):
            return self.fit(X).labels_


class Estimator(BaseEstimator):
    """What all estimators share."""

    def _check_fitted(self, attribute):
        if hasattr(self, attribute):
            return
        message = f"This {type(self).__name__} instance is not fitted yet: call fit first."
        try:
            from sklearn.exceptions import NotFittedError
        except ImportError:
            raise ValueError(message) from None
        raise NotFittedError(message)

    def _remember_features(self, X, num_features):
        """Sets n_features_in_ and, for a data frame, feature_names_in_."""
        self.n_features_in_ = int(num_features)
        names = getattr(X, "columns", None)
        if names is not None and all(isinstance(name, str) for name in names):
            import numpy as np

            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
