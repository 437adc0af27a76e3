//! Processes of this machine, which connect over Unix sockets: the first of a user have a share each, and all further ones of that user
//! one together. So a client that starts processes by forking takes no more for each. A share ends with the last connection or session
//! that is held for it, not with its process: that may have handed its connection to another one.

use crate::shares::{Holder, LocalProcess};
use crate::sorted::SortedMap;
use crate::transport::process::Credentials;
use crate::transport::socket::listen::RemotePeer;
use std::sync::{Arc, Weak};

/// The processes of one user that have a share each.
const OF_USER: usize = 16;
/// The users whose processes are told apart.
const USERS: usize = 256;

/// The processes that have a share of their own, by user, as long as anything is held for them.
#[derive(Default, Debug)]
pub(super) struct Processes(SortedMap<u32, Vec<Weak<LocalProcess>>>);

impl Processes {
    /// Whose is what this client takes of what clients share, as long as it has not shown a token.
    pub(super) fn holder(&mut self, peer: &RemotePeer) -> Holder {
        match peer {
            RemotePeer::Address(Some(address)) => Holder::at(address.ip()),
            RemotePeer::Process(Some(credentials)) => self.of_process(*credentials),
            RemotePeer::Address(None) | RemotePeer::Process(None) => Holder::Unknown,
        }
    }

    fn of_process(&mut self, peer: Credentials) -> Holder {
        let user = peer.user;
        // A process of another namespace has no number here.
        let Some(number) = peer.process else { return Holder::User(user) };
        if self.0.len() >= USERS && !self.0.contains_key(&user) {
            self.0.retain(|_, known| known.iter().any(|process| process.strong_count() > 0));
            if self.0.len() >= USERS {
                return Holder::User(user);
            }
        }
        let known = self.0.entry(user).or_default();
        known.retain(|process| process.strong_count() > 0);
        if let Some(process) = known.iter().filter_map(Weak::upgrade).find(|it| it.number == number) {
            return Holder::Process(process);
        }
        if known.len() >= OF_USER {
            return Holder::User(user);
        }
        let process = Arc::new(LocalProcess { user, number });
        known.push(Arc::downgrade(&process));
        Holder::Process(process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    fn peer(user: u32, process: u32) -> RemotePeer {
        RemotePeer::Process(Some(Credentials { user, group: 0, process: Some(process) }))
    }

    fn of(user: u32, number: u32) -> Holder {
        Holder::Process(Arc::new(LocalProcess { user, number }))
    }

    #[test]
    fn the_first_processes_of_a_user_have_a_share_each_and_the_others_one() {
        let mut processes = Processes::default();
        let mut held: Vec<Holder> = (1..=16).map(|process| processes.holder(&peer(1000, process))).collect();
        assert!((1..=16).map(|process| of(1000, process)).eq(held.iter().cloned()));
        for process in 17..1000 {
            assert_eq!(processes.holder(&peer(1000, process)), Holder::User(1000));
        }
        let again = processes.holder(&peer(1000, 3));
        assert_eq!(again, of(1000, 3), "it is known");
        assert_eq!(processes.holder(&peer(1001, 3)), of(1001, 3), "another user's is another");
        // One of two connections has ended, then the other one.
        drop(held.remove(2));
        assert_eq!(processes.holder(&peer(1000, 17)), Holder::User(1000));
        drop(again);
        let next = processes.holder(&peer(1000, 17));
        assert_eq!(next, of(1000, 17));
        assert_eq!(processes.holder(&peer(1000, 3)), Holder::User(1000));
    }

    #[test]
    fn a_client_is_told_by_what_is_known_of_it() {
        let mut processes = Processes::default();
        let mut holder = |peer| processes.holder(&peer);
        let address = "127.0.0.1:80".parse().ok();
        assert_eq!(holder(RemotePeer::Address(address)).to_string(), "address 127.0.0.1");
        let elsewhere = Credentials { user: 7, group: 0, process: None };
        assert_eq!(holder(RemotePeer::Process(Some(elsewhere))), Holder::User(7));
        assert_eq!(holder(RemotePeer::Process(None)), Holder::Unknown);
        assert_eq!(holder(RemotePeer::Address(None)), Holder::Unknown);
    }

    proptest! {
        #[test]
        fn no_user_has_more_shares_than_processes_count_and_users_have_a_bound(
            clients in prop::collection::vec((0..600_u32, 0..40_u32, any::<bool>(), any::<Option<usize>>()), 1..2000)
        ) {
            let mut processes = Processes::default();
            let mut held: Vec<Holder> = Vec::new();
            for (user, process, comes_alone, ends) in clients {
                let user = if comes_alone { 0 } else { user };
                held.push(processes.holder(&peer(user, process)));
                if let Some(place) = ends {
                    drop(held.swap_remove(place % held.len()));
                }
            }
            let mut shares: BTreeMap<u32, BTreeSet<&Holder>> = BTreeMap::new();
            for holder in &held {
                if let Holder::Process(process) = holder {
                    shares.entry(process.user).or_default().insert(holder);
                }
            }
            prop_assert!(shares.values().all(|of_user| of_user.len() <= OF_USER));
            prop_assert!(processes.0.len() <= USERS);
            prop_assert!(processes.0.values().all(|known| known.len() <= OF_USER));
        }
    }
}
