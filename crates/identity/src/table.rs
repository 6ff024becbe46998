//! The one table of settings: it drives flags, variables, keys of the clouds file and `--show-config`.
//!
//! Names, variables and options are those of the openstack command (`osc_lib/shell.py:215-340`,
//! `osc_lib/api/auth.py:165-207`, `heatclient/osc/plugin.py:63-77`, `manilaclient/osc/plugin.py:117-160`).

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The key in clouds.yaml, and the key of [`crate::Sources::flags`].
    pub name: &'static str,
    /// Environment variables, the first that is set wins.
    pub env: &'static [&'static str],
    /// Long options without the dashes, the first is shown in help.
    pub flag: &'static [&'static str],
    /// For `--help`.
    pub help: &'static str,
    /// Never shown.
    pub secret: bool,
    /// An option without a value.
    pub switch: bool,
}

impl Setting {
    const fn new(
        name: &'static str,
        env: &'static [&'static str],
        flag: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            name,
            env,
            flag,
            help,
            secret: false,
            switch: false,
        }
    }

    const fn secret(self) -> Self {
        Self {
            secret: true,
            ..self
        }
    }

    const fn switch(self) -> Self {
        Self {
            switch: true,
            ..self
        }
    }

    /// The setting of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        SETTINGS.iter().find(|setting| setting.name == name)
    }
}

/// Every setting, in the order in which help shows them.
pub const SETTINGS: &[Setting] = &[
    Setting::new(
        "cloud",
        &["OS_CLOUD"],
        &["os-cloud"],
        "Cloud name in clouds.yaml",
    ),
    Setting::new(
        "auth_type",
        &["OS_AUTH_TYPE", "OS_AUTH_PLUGIN"],
        &["os-auth-type", "os-auth-plugin"],
        "How to sign in (default: by what is given)",
    ),
    Setting::new(
        "auth_url",
        &["OS_AUTH_URL"],
        &["os-auth-url"],
        "URL of the Identity service",
    ),
    Setting::new(
        "username",
        &["OS_USERNAME", "OS_USER_NAME"],
        &["os-username", "os-user-name"],
        "User's name",
    ),
    Setting::new("user_id", &["OS_USER_ID"], &["os-user-id"], "User's ID"),
    Setting::new(
        "user_domain_id",
        &["OS_USER_DOMAIN_ID"],
        &["os-user-domain-id"],
        "ID of the user's domain",
    ),
    Setting::new(
        "user_domain_name",
        &["OS_USER_DOMAIN_NAME"],
        &["os-user-domain-name"],
        "Name of the user's domain",
    ),
    Setting::new(
        "password",
        &["OS_PASSWORD"],
        &["os-password"],
        "User's password",
    )
    .secret(),
    Setting::new(
        "project_id",
        &["OS_PROJECT_ID", "OS_TENANT_ID"],
        &["os-project-id", "os-tenant-id"],
        "ID of the project to work in",
    ),
    Setting::new(
        "project_name",
        &["OS_PROJECT_NAME", "OS_TENANT_NAME"],
        &["os-project-name", "os-tenant-name"],
        "Name of the project to work in",
    ),
    Setting::new(
        "project_domain_id",
        &["OS_PROJECT_DOMAIN_ID"],
        &["os-project-domain-id"],
        "ID of the project's domain",
    ),
    Setting::new(
        "project_domain_name",
        &["OS_PROJECT_DOMAIN_NAME"],
        &["os-project-domain-name"],
        "Name of the project's domain",
    ),
    Setting::new(
        "domain_id",
        &["OS_DOMAIN_ID"],
        &["os-domain-id"],
        "ID of the domain to work in",
    ),
    Setting::new(
        "domain_name",
        &["OS_DOMAIN_NAME"],
        &["os-domain-name"],
        "Name of the domain to work in",
    ),
    Setting::new(
        "system_scope",
        &["OS_SYSTEM_SCOPE"],
        &["os-system-scope"],
        "Work on the whole system: all",
    ),
    Setting::new(
        "trust_id",
        &["OS_TRUST_ID"],
        &["os-trust-id"],
        "ID of the trust to use",
    ),
    Setting::new(
        "default_domain",
        &["OS_DEFAULT_DOMAIN"],
        &["os-default-domain"],
        "Domain ID of user and project where none is given (default: default)",
    ),
    Setting::new(
        "default_domain_id",
        &["OS_DEFAULT_DOMAIN_ID"],
        &["os-default-domain-id"],
        "Domain ID of user and project where none is given",
    ),
    Setting::new(
        "default_domain_name",
        &["OS_DEFAULT_DOMAIN_NAME"],
        &["os-default-domain-name"],
        "Domain name of user and project where none is given",
    ),
    Setting::new(
        "token",
        &["OS_TOKEN", "OS_AUTH_TOKEN"],
        &["os-token", "os-auth-token"],
        "Token to sign in with",
    )
    .secret(),
    Setting::new(
        "passcode",
        &["OS_PASSCODE"],
        &["os-passcode"],
        "User's one-time passcode",
    )
    .secret(),
    Setting::new(
        "auth_methods",
        &["OS_AUTH_METHODS"],
        &["os-auth-methods"],
        "Methods of v3multifactor, joined by commas",
    ),
    Setting::new(
        "application_credential_id",
        &["OS_APPLICATION_CREDENTIAL_ID"],
        &["os-application-credential-id"],
        "Application credential's ID",
    ),
    Setting::new(
        "application_credential_name",
        &["OS_APPLICATION_CREDENTIAL_NAME"],
        &["os-application-credential-name"],
        "Application credential's name",
    ),
    Setting::new(
        "application_credential_secret",
        &["OS_APPLICATION_CREDENTIAL_SECRET"],
        &["os-application-credential-secret"],
        "Application credential's secret",
    )
    .secret(),
    Setting::new(
        "identity_provider",
        &["OS_IDENTITY_PROVIDER"],
        &["os-identity-provider"],
        "Identity provider's name in Keystone",
    ),
    Setting::new(
        "protocol",
        &["OS_PROTOCOL"],
        &["os-protocol"],
        "Protocol of the identity provider in Keystone",
    ),
    Setting::new(
        "client_id",
        &["OS_CLIENT_ID"],
        &["os-client-id"],
        "OpenID Connect client ID",
    ),
    Setting::new(
        "client_secret",
        &["OS_CLIENT_SECRET"],
        &["os-client-secret"],
        "OpenID Connect client secret",
    )
    .secret(),
    Setting::new(
        "openid_scope",
        &["OS_OPENID_SCOPE"],
        &["os-openid-scope"],
        "OpenID Connect scope (default: openid profile)",
    ),
    Setting::new(
        "access_token_endpoint",
        &["OS_ACCESS_TOKEN_ENDPOINT"],
        &["os-access-token-endpoint"],
        "OpenID Connect token endpoint",
    ),
    Setting::new(
        "discovery_endpoint",
        &["OS_DISCOVERY_ENDPOINT"],
        &["os-discovery-endpoint"],
        "OpenID Connect discovery document",
    ),
    Setting::new(
        "access_token_type",
        &["OS_ACCESS_TOKEN_TYPE"],
        &["os-access-token-type"],
        "What Keystone is given: access_token (default) or id_token",
    ),
    Setting::new(
        "access_token",
        &["OS_ACCESS_TOKEN"],
        &["os-access-token"],
        "OpenID Connect access token",
    )
    .secret(),
    Setting::new(
        "endpoint",
        &["OS_ENDPOINT", "OS_URL"],
        &["os-endpoint", "os-url"],
        "Service endpoint for the types none, admin_token, http_basic",
    ),
    Setting::new(
        "region_name",
        &["OS_REGION_NAME"],
        &["os-region-name"],
        "Region",
    ),
    Setting::new(
        "interface",
        &["OS_INTERFACE", "OS_ENDPOINT_TYPE"],
        &["os-interface", "os-endpoint-type"],
        "Kind of endpoint: public (default), internal, admin",
    ),
    Setting::new(
        "cacert",
        &["OS_CACERT"],
        &["os-cacert"],
        "File with the CA certificates to trust, in place of the system's",
    ),
    Setting::new(
        "cert",
        &["OS_CERT"],
        &["os-cert"],
        "File with the client certificate",
    ),
    Setting::new(
        "key",
        &["OS_KEY"],
        &["os-key"],
        "File with the key of the client certificate",
    ),
    Setting::new(
        "verify",
        &["OS_VERIFY"],
        &["verify"],
        "Check the server's certificate (default)",
    )
    .switch(),
    Setting::new(
        "insecure",
        &["OS_INSECURE"],
        &["insecure"],
        "Do not check the server's certificate",
    )
    .switch(),
    Setting::new(
        "identity_api_version",
        &["OS_IDENTITY_API_VERSION"],
        &["os-identity-api-version"],
        "Identity API version; only 3 is spoken",
    ),
    Setting::new(
        "endpoint_override",
        &["OS_ENDPOINT_OVERRIDE"],
        &["os-endpoint-override"],
        "Use this endpoint of the service, not the catalog's",
    ),
    Setting::new(
        "orchestration_endpoint_override",
        &["OS_ORCHESTRATION_ENDPOINT_OVERRIDE"],
        &["os-orchestration-endpoint-override"],
        "Use this endpoint of Heat, not the catalog's",
    ),
    Setting::new(
        "orchestration_api_version",
        &["OS_ORCHESTRATION_API_VERSION"],
        &["os-orchestration-api-version"],
        "Orchestration API version; only 1 is spoken",
    ),
    Setting::new(
        "shared_file_system_endpoint_override",
        &[
            "OS_SHARED_FILE_SYSTEM_ENDPOINT_OVERRIDE",
            "OS_MANILA_BYPASS_URL",
        ],
        &["os-shared-file-system-endpoint-override", "bypass-url"],
        "Use this endpoint of Manila, not the catalog's",
    ),
    Setting::new(
        "share_api_version",
        &["OS_SHARE_API_VERSION", "OS_SHARED_FILE_SYSTEM_API_VERSION"],
        &["os-share-api-version", "os-shared-file-system-api-version"],
        "Microversion of the Shared File Systems API",
    ),
];

/// Options and variables of the openstack command that are refused by name, and what to do.
pub const UNSUPPORTED: &[(&str, &str)] = &[
    (
        "--os-service-provider",
        "signing in through another Keystone is not supported",
    ),
    (
        "--os-remote-project-name",
        "signing in through another Keystone is not supported",
    ),
    (
        "--os-remote-project-id",
        "signing in through another Keystone is not supported",
    ),
    (
        "--os-remote-project-domain-name",
        "signing in through another Keystone is not supported",
    ),
    (
        "--os-remote-project-domain-id",
        "signing in through another Keystone is not supported",
    ),
    ("--timing", "-v shows the time of each request"),
    ("--os-beta-command", "there are no beta commands"),
    ("--log-file", "send stderr to a file"),
    ("--os-profile", "requests cannot be traced by osprofiler"),
    (
        "--os-accelerator-api-version",
        "it belongs to another service",
    ),
    ("--os-compute-api-version", "it belongs to another service"),
    ("--os-image-api-version", "it belongs to another service"),
    ("--os-network-api-version", "it belongs to another service"),
    ("--os-object-api-version", "it belongs to another service"),
    ("--os-volume-api-version", "it belongs to another service"),
    (
        "--os-oauth2-endpoint",
        "OAuth 2.0 client credentials are not supported; sign in with an application credential",
    ),
    (
        "--os-oauth2-client-id",
        "OAuth 2.0 client credentials are not supported; sign in with an application credential",
    ),
    (
        "--os-oauth2-client-secret",
        "OAuth 2.0 client credentials are not supported; sign in with an application credential",
    ),
    (
        "--os-redirect-uri",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-code",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-device-authorization-endpoint",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-code-challenge-method",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-redirect-host",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-redirect-port",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-login-timeout",
        "it needs a person at a browser; sign in with an application credential",
    ),
    (
        "--os-idp-otp-key",
        "a one-time password of the identity provider cannot be asked for; sign in with an application credential",
    ),
];
