//! Processes of this machine, which connect over Unix sockets: the first of a user have a share each, and all further ones of that user
//! one together. So a client that starts processes by forking takes no more for each.

use crate::shares::Holder;
use crate::transport::process::Credentials;
use crate::transport::socket::listen::RemotePeer;
use std::collections::BTreeMap;

/// The processes of one user that have a share each.
const OF_USER: usize = 16;
/// The users whose processes are told apart.
const USERS: usize = 256;

/// The processes that have a share of their own, by user, as long as they live.
#[derive(Default, Debug)]
pub(super) struct Processes(BTreeMap<u32, Vec<u32>>);

impl Processes {
    /// Whose is what this client takes of what clients share, as long as it has not shown a token.
    pub(super) fn holder(&mut self, peer: &RemotePeer, is_there: impl Fn(u32) -> bool) -> Holder {
        match peer {
            RemotePeer::Address(Some(address)) => Holder::at(address.ip()),
            RemotePeer::Process(Some(credentials)) => self.of_process(*credentials, is_there),
            RemotePeer::Address(None) | RemotePeer::Process(None) => Holder::Unknown,
        }
    }

    fn of_process(&mut self, peer: Credentials, is_there: impl Fn(u32) -> bool) -> Holder {
        // A process of another namespace has no number here.
        let Some(process) = peer.process else { return Holder::User(peer.user) };
        if self.0.len() >= USERS && !self.0.contains_key(&peer.user) {
            self.0.retain(|_, known| {
                known.retain(|process| is_there(*process));
                !known.is_empty()
            });
            if self.0.len() >= USERS {
                return Holder::User(peer.user);
            }
        }
        let known = self.0.entry(peer.user).or_default();
        if !known.contains(&process) {
            if known.len() >= OF_USER {
                known.retain(|process| is_there(*process));
            }
            if known.len() >= OF_USER {
                return Holder::User(peer.user);
            }
            known.push(process);
        }
        Holder::Process(process)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn peer(user: u32, process: u32) -> RemotePeer {
        RemotePeer::Process(Some(Credentials { user, group: 0, process: Some(process) }))
    }

    #[test]
    fn the_first_processes_of_a_user_have_a_share_each_and_the_others_one() {
        let mut processes = Processes::default();
        for process in 1..=16 {
            assert_eq!(processes.holder(&peer(1000, process), |_| true), Holder::Process(process));
        }
        for process in 17..1000 {
            assert_eq!(processes.holder(&peer(1000, process), |_| true), Holder::User(1000));
        }
        assert_eq!(processes.holder(&peer(1000, 3), |_| true), Holder::Process(3), "it is known");
        assert_eq!(processes.holder(&peer(1001, 1000), |_| true), Holder::Process(1000), "another user");
        // One has ended, and its place is free.
        assert_eq!(processes.holder(&peer(1000, 17), |process| process != 5), Holder::Process(17));
        assert_eq!(processes.holder(&peer(1000, 18), |_| true), Holder::User(1000));
    }

    #[test]
    fn a_client_is_told_by_what_is_known_of_it() {
        let mut processes = Processes::default();
        let mut holder = |peer| processes.holder(&peer, |_| true);
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
            clients in prop::collection::vec((0..600_u32, 0..40_u32, any::<bool>()), 1..2000)
        ) {
            let mut processes = Processes::default();
            let mut shares: BTreeMap<u32, BTreeSet<Holder>> = BTreeMap::new();
            for (user, process, comes_alone) in clients {
                let user = if comes_alone { 0 } else { user };
                let holder = processes.holder(&peer(user, process + 100 * user), |_| true);
                shares.entry(user).or_default().insert(holder);
            }
            prop_assert!(shares.values().all(|held| held.len() <= OF_USER + 1));
            prop_assert!(processes.0.len() <= USERS);
            prop_assert!(processes.0.values().all(|known| known.len() <= OF_USER));
        }
    }
}
