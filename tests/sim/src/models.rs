//! The three services behind the wire.

use crate::config::{Config, Service};
use crate::heat::Heat;
use crate::keystone::Keystone;
use crate::manila::Manila;
use crate::response::Response;
use crate::wire::Request;

/// Everything a cloud remembers.
pub(crate) struct Models {
    pub(crate) keystone: Keystone,
    pub(crate) heat: Heat,
    pub(crate) manila: Manila,
}

impl Models {
    pub(crate) fn answer(
        &mut self,
        config: &Config,
        service: Service,
        request: &Request,
    ) -> Response {
        match service {
            Service::Keystone => self.keystone.answer(config, request),
            Service::Heat => match self.keystone.admits(config, request) {
                true => self.heat.answer(config, request),
                false if crate::heat::open(config, request) => self.heat.answer(config, request),
                false => self.keystone.unauthorized(),
            },
            Service::Manila => match self.keystone.admits(config, request) {
                true => self.manila.answer(config, request),
                false if crate::manila::open(config, request) => {
                    self.manila.answer(config, request)
                }
                false => self.keystone.unauthorized(),
            },
        }
    }
}
