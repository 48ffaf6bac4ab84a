// Stampede\Claim and Stampede\run_in_batches(): what a worker needs for the processes of its
// requests.
#include "shm/claim.h"

#include <optional>
#include <utility>

#include "os/packet_pair.h"
#include "os/process.h"
#include "subsystems.h"
#include "zend/object.h"

#include "stubs/claim_arginfo.h"

namespace stampede::classes {

namespace {

struct Claim {
    std::optional<shm::ClaimSender> sender;
    zend_object std;
};

zend_class_entry* class_entry;
zend_object_handlers handlers;

zend_object* create(zend_class_entry* ce) { return zend::create_object<Claim>(ce, &handlers); }

void free_claim(zend_object* object) {
    zend::from_object<Claim>(object).~Claim();
    zend_object_std_dtor(object);
}

// Nobody has one but by receive().
shm::ClaimSender& sender_of(zval* self) { return *zend::from_this<Claim>(self).sender; }

}  // namespace
}  // namespace stampede::classes

using namespace stampede;
using namespace stampede::classes;

ZEND_METHOD(Stampede_Claim, __construct) { STAMPEDE_PARSE_NO_PARAMETERS(); }

ZEND_METHOD(Stampede_Claim, receive) {
    zend_long fd;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(fd)
    ZEND_PARSE_PARAMETERS_END();

    char letter;
    os::Fd file;
    if (os::receive_packet(static_cast<int>(fd), &letter, 1, file) != 1 || !file) {
        RETURN_NULL();
    }
    Result<shm::ClaimSender> sender = shm::ClaimSender::map(file.get());
    if (!sender) {
        RETURN_NULL();
    }
    object_init_ex(return_value, class_entry);
    zend::from_this<Claim>(return_value).sender.emplace(std::move(*sender));
}

ZEND_METHOD(Stampede_Claim, offer) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_LONG(static_cast<zend_long>(sender_of(ZEND_THIS).offer()));
}

ZEND_METHOD(Stampede_Claim, withdraw) {
    zend_long number;
    ZEND_PARSE_PARAMETERS_START(1, 1)
        Z_PARAM_LONG(number)
    ZEND_PARSE_PARAMETERS_END();
    RETURN_BOOL(number > 0 && sender_of(ZEND_THIS).withdraw(static_cast<uint64_t>(number)));
}

ZEND_FUNCTION(Stampede_run_in_batches) {
    STAMPEDE_PARSE_NO_PARAMETERS();
    RETURN_BOOL(os::run_in_batches());
}

namespace stampede::ext {

zend_result claim_minit(int, int) {
    class_entry = register_class_Stampede_Claim();
    class_entry->create_object = create;
    zend::init_handlers<Claim>(handlers, free_claim);
    return zend_register_functions(nullptr, ext_functions, nullptr, MODULE_PERSISTENT);
}

}  // namespace stampede::ext
