// The access log that the settings of a server ask for. Free functions; PHP thread; never park.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "ext/server/settings.h"
#include "os/line_writer.h"
#include "server/access_log.h"

namespace stampede::classes {

// One sentence; empty: they are well.
std::string check_access_log(const ServerSettings& settings);
// Of settings that are well.
server::AccessLogSettings access_log_settings(const ServerSettings& settings);
// Where its lines go; null: there is no access log.
Result<std::unique_ptr<os::LineWriter>> open_access_lines(const ServerSettings& settings);

}  // namespace stampede::classes
