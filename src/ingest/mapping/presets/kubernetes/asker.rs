//! Who sent a request. A `Lease` names its holder, and any client may write any name there; the
//! audit event says who did.

use std::borrow::Cow;

use serde::Deserialize;

/// The user of an audit event.
#[derive(Deserialize)]
pub(super) struct User<'a> {
    #[serde(borrow)]
    username: Option<Cow<'a, str>>,
    #[serde(default)]
    extra: Extra,
}

#[derive(Default, Deserialize)]
struct Extra {
    /// The pod whose token was used: one name, if any.
    #[serde(rename = "authentication.kubernetes.io/pod-name", default)]
    pods: Vec<String>,
}

/// A user, and the pod that it is, where its token is bound to one. The pods of a deployment
/// share one user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asker {
    user: String,
    pod: Option<String>,
}

impl Asker {
    pub(super) fn of(user: User<'_>) -> Option<Asker> {
        Some(Asker {
            user: user.username?.into_owned(),
            pod: user.extra.pods.into_iter().next(),
        })
    }

    pub(super) fn is_pod(&self) -> bool {
        self.pod.is_some()
    }

    /// The name of whoever asked, where no lease tells its identity.
    pub(super) fn name(&self) -> &str {
        self.pod.as_deref().unwrap_or(&self.user)
    }

    /// Whether the two are known to be different ones.
    pub(super) fn differs(&self, other: &Asker) -> bool {
        self.user != other.user || matches!((&self.pod, &other.pod), (Some(a), Some(b)) if a != b)
    }

    /// Whether an identity begins with the name of the pod, as those that a pod makes for itself
    /// do: `POD_UUID`.
    pub(super) fn is_named_by(&self, identity: &str) -> bool {
        let rest = self
            .pod
            .as_deref()
            .and_then(|pod| identity.strip_prefix(pod));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}
