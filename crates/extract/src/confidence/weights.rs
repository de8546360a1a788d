//! Weights of the models of confidence.

/// A field, its bias, and the weight of each measure.
type Model = (&'static str, f32, &'static [(&'static str, f32)]);

/// The models by field.
pub(super) const MODELS: &[Model] = &[];
