// What putenv() sets for the whole process although code written for one request at a time takes it
// for its own. A request has its own values of the variables that it has set. PHP thread, never
// parks.
#pragma once

#include <deque>
#include <optional>
#include <string>

namespace stampede::zend {

class EnvironmentState {
public:
    // Before the running request changes the variable that `assignment` begins with.
    void keep(const std::string& assignment);
    void swap();
    // At the end of the running request, which is not switched in again.
    void put_process_back();

private:
    struct Variable {
        std::string name;
        std::optional<std::string> of_process;
        std::string of_request;  // with its name, as it lies in the environment; empty: none
    };

    std::deque<Variable> variables_;  // their texts stay where they are
    bool installed_ = false;
};

}  // namespace stampede::zend
