// Values of a request that no log and no page of errors shows, known by the names of their
// parameters. Pure functions over text.
#pragma once

#include <string>
#include <string_view>

namespace stampede::proto::http {

inline constexpr std::string_view kHiddenValue = "(hidden)";

// A name such as "password", "login[pwd]", "X-Api-Key" or "resetToken".
bool is_secret_name(std::string_view name);
// The parameters of a query, those with secret names with kHiddenValue in place of their values.
std::string hide_secrets(std::string_view query);
// The same for an address: its query, its fragment, and a password before its host.
std::string hide_secrets_of_url(std::string_view url);

}  // namespace stampede::proto::http
