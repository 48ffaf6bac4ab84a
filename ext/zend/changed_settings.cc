#include "zend/changed_settings.h"

#include "zend/error_level.h"

namespace stampede::zend {

namespace {

// The stage in which no setting refuses to be changed: after a request PHP does the same.
constexpr int kStage = PHP_INI_STAGE_DEACTIVATE;

zend_string* copy_of(zend_string* text) {
    return text != nullptr ? zend_string_copy(text) : nullptr;
}

void release(zend_string* text) {
    if (text != nullptr) {
        zend_string_release(text);
    }
}

bool same(const zend_string* a, const zend_string* b) {
    return a == b || (a != nullptr && b != nullptr && zend_string_equal_content(a, b));
}

// What the session keeps of its settings is exchanged with the rest of its globals: its handlers
// would refuse while a session is active, and refuse a user's save handler in any case.
// The entry in EG(ini_directives) belongs to the process (no thread safety), so its handler is
// taken away for the length of one call alone, in which no PHP code runs.
class WithoutSessionHandler {
public:
    explicit WithoutSessionHandler(zend_string* name)
        : entry_(static_cast<zend_ini_entry*>(zend_hash_find_ptr(EG(ini_directives), name))),
          handler_(entry_->on_modify) {
        if (zend_string_starts_with_literal(name, "session.")) {
            entry_->on_modify = nullptr;
        }
    }
    ~WithoutSessionHandler() { entry_->on_modify = handler_; }

private:
    zend_ini_entry* entry_;
    decltype(zend_ini_entry::on_modify) handler_;
};

void set(zend_string* name, zend_string* text) {
    WithoutSessionHandler without(name);
    zend_string* value = text != nullptr ? text : ZSTR_EMPTY_ALLOC();
    zend_alter_ini_entry(name, value, PHP_INI_ALL, kStage);
}

void restore(zend_string* name) {
    WithoutSessionHandler without(name);
    zend_restore_ini_entry(name, kStage);
}

}  // namespace

ChangedSettings::Values ChangedSettings::process_;

void ChangedSettings::forget(Values& values) {
    for (const Value& value : values) {
        zend_string_release(value.name);
        release(value.text);
    }
    values.clear();
}

ChangedSettings::Value* ChangedSettings::find(Values& values, const zend_string* name) {
    for (Value& value : values) {
        if (value.name == name) {
            return &value;
        }
    }
    return nullptr;
}

// The engine lists what differs from php.ini, with the values of before in the entries themselves;
// the present value is all that is needed here, and a reference to it, since the entry drops its
// own when it changes.
void ChangedSettings::note_changed(Values& out) {
    if (EG(modified_ini_directives) == nullptr) {
        return;
    }
    void* found;
    ZEND_HASH_MAP_FOREACH_PTR(EG(modified_ini_directives), found) {
        auto* entry = static_cast<zend_ini_entry*>(found);
        out.push_back({zend_string_copy(entry->name), copy_of(entry->value)});
    }
    ZEND_HASH_FOREACH_END();
}

// By the addresses of the texts: these are held, so another value has another address. (The same
// value may have another one, too; then it is noted anew.)
bool ChangedSettings::are_present(const Values& values) {
    HashTable* changed = EG(modified_ini_directives);
    if (changed == nullptr || zend_hash_num_elements(changed) != values.size()) {
        return changed == nullptr && values.empty();
    }
    auto value = values.begin();
    void* found;
    ZEND_HASH_MAP_FOREACH_PTR(changed, found) {
        auto* entry = static_cast<zend_ini_entry*>(found);
        if (entry->name != value->name || entry->value != value->text) {
            return false;
        }
        ++value;
    }
    ZEND_HASH_FOREACH_END();
    return true;
}

void ChangedSettings::enter() {
    if (!are_present(process_)) {
        forget(process_);
        note_changed(process_);
    }
    if (EXPECTED(own_.empty())) {
        return;
    }
    UnheardErrors unheard;  // some settings are deprecated; the level is the coroutine's
    for (const Value& value : own_) {
        set(value.name, value.text);
    }
    forget(own_);
}

// Setting and restoring change the table of what is changed, so it is read first. Settings that
// the request has put back to what php.ini says are the ones that are not in it.
void ChangedSettings::leave() {
    if (EXPECTED(are_present(process_))) {
        return;
    }
    Values present;
    note_changed(present);
    UnheardErrors unheard;  // some settings are deprecated; the level is the coroutine's
    for (Value& value : present) {
        Value* before = find(process_, value.name);
        if (before == nullptr || !same(before->text, value.text)) {
            own_.push_back({zend_string_copy(value.name), copy_of(value.text)});
            if (before != nullptr) {
                set(value.name, before->text);
            } else {
                restore(value.name);
            }
        } else if (before->text != value.text) {
            // Globals of the session point into the text itself.
            set(value.name, before->text);
        }
    }
    for (Value& before : process_) {
        if (find(present, before.name) == nullptr) {
            auto* entry =
                static_cast<zend_ini_entry*>(zend_hash_find_ptr(EG(ini_directives), before.name));
            own_.push_back({zend_string_copy(before.name), copy_of(entry->value)});
            set(before.name, before.text);
        }
    }
    forget(present);
}

}  // namespace stampede::zend
