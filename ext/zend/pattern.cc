#include "zend/pattern.h"

#include "zend/php.h"

namespace stampede::zend {

Match match_pattern(std::string_view pattern, std::string_view subject,
                    std::vector<std::string>& groups) {
    auto* function = static_cast<zend_function*>(
        zend_hash_str_find_ptr(CG(function_table), ZEND_STRL("preg_match")));
    if (function == nullptr) {
        return Match::kNoPattern;
    }
    zval arguments[3];
    zval result;
    ZVAL_STRINGL(&arguments[0], pattern.data(), pattern.size());
    ZVAL_STRINGL(&arguments[1], subject.data(), subject.size());
    ZVAL_NEW_EMPTY_REF(&arguments[2]);
    ZVAL_NULL(Z_REFVAL(arguments[2]));
    ZVAL_UNDEF(&result);
    int level = EG(error_reporting);
    EG(error_reporting) = 0;
    zend_call_known_function(function, nullptr, nullptr, &result, 3, arguments, nullptr);
    EG(error_reporting) = level;
    auto match = Z_TYPE(result) != IS_LONG ? Match::kNoPattern
                 : Z_LVAL(result) > 0      ? Match::kFits
                                           : Match::kFitsNot;
    groups.clear();
    if (match == Match::kFits) {
        zval* group;
        ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(Z_REFVAL(arguments[2])), group) {
            groups.emplace_back(Z_STRVAL_P(group), Z_STRLEN_P(group));
        }
        ZEND_HASH_FOREACH_END();
    }
    for (zval& argument : arguments) {
        zval_ptr_dtor(&argument);
    }
    zval_ptr_dtor(&result);
    return match;
}

}  // namespace stampede::zend
