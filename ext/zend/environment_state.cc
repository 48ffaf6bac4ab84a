#include "zend/environment_state.h"

#include <cstdlib>
#include <ctime>

namespace stampede::zend {

namespace {

std::optional<std::string> value_of(const std::string& name) {
    const char* value = ::getenv(name.c_str());
    return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

// The C library keeps each text that it copies for ever: good for the few that the process has.
void set_copy(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
        ::setenv(name.c_str(), value->c_str(), 1);
    } else {
        ::unsetenv(name.c_str());
    }
}

void tell_of_change(const std::string& name) {
    if (name == "TZ") {
        ::tzset();
    }
}

}  // namespace

void EnvironmentState::keep(const std::string& assignment) {
    std::string name = assignment.substr(0, assignment.find('='));
    for (const Variable& variable : variables_) {
        if (variable.name == name) {
            return;
        }
    }
    variables_.push_back({name, value_of(name), {}});
}

// The environment holds the text of a request itself, which lives until another one has taken its
// place.
void EnvironmentState::swap() {
    installed_ = !installed_;
    for (Variable& variable : variables_) {
        if (!installed_) {
            std::optional<std::string> value = value_of(variable.name);
            set_copy(variable.name, variable.of_process);
            variable.of_request = value ? variable.name + '=' + *value : std::string();
        } else {
            variable.of_process = value_of(variable.name);
            if (variable.of_request.empty()) {
                ::unsetenv(variable.name.c_str());
            } else {
                ::putenv(variable.of_request.data());
            }
        }
        tell_of_change(variable.name);
    }
}

void EnvironmentState::put_process_back() {
    for (Variable& variable : variables_) {
        set_copy(variable.name, variable.of_process);
        tell_of_change(variable.name);
    }
    variables_.clear();
}

}  // namespace stampede::zend
