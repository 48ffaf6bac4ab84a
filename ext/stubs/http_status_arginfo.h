/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2ce8823bdfdc0b292bc1d0900c34a20b3a4abbce */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Http_Status_getReasonPhrases, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_Swoole_Http_Status_getReasonPhrase, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(Swoole_Http_Status, getReasonPhrases);
ZEND_METHOD(Swoole_Http_Status, getReasonPhrase);


static const zend_function_entry class_Swoole_Http_Status_methods[] = {
	ZEND_ME(Swoole_Http_Status, getReasonPhrases, arginfo_class_Swoole_Http_Status_getReasonPhrases, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(Swoole_Http_Status, getReasonPhrase, arginfo_class_Swoole_Http_Status_getReasonPhrase, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_Swoole_Http_Status(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "Swoole\\Http", "Status", class_Swoole_Http_Status_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_ABSTRACT;

	zval const_CONTINUE_value;
	ZVAL_LONG(&const_CONTINUE_value, 100);
	zend_string *const_CONTINUE_name = zend_string_init_interned("CONTINUE", sizeof("CONTINUE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_CONTINUE_name, &const_CONTINUE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_CONTINUE_name);

	zval const_SWITCHING_PROTOCOLS_value;
	ZVAL_LONG(&const_SWITCHING_PROTOCOLS_value, 101);
	zend_string *const_SWITCHING_PROTOCOLS_name = zend_string_init_interned("SWITCHING_PROTOCOLS", sizeof("SWITCHING_PROTOCOLS") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_SWITCHING_PROTOCOLS_name, &const_SWITCHING_PROTOCOLS_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_SWITCHING_PROTOCOLS_name);

	zval const_PROCESSING_value;
	ZVAL_LONG(&const_PROCESSING_value, 102);
	zend_string *const_PROCESSING_name = zend_string_init_interned("PROCESSING", sizeof("PROCESSING") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PROCESSING_name, &const_PROCESSING_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PROCESSING_name);

	zval const_OK_value;
	ZVAL_LONG(&const_OK_value, 200);
	zend_string *const_OK_name = zend_string_init_interned("OK", sizeof("OK") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_OK_name, &const_OK_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_OK_name);

	zval const_CREATED_value;
	ZVAL_LONG(&const_CREATED_value, 201);
	zend_string *const_CREATED_name = zend_string_init_interned("CREATED", sizeof("CREATED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_CREATED_name, &const_CREATED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_CREATED_name);

	zval const_ACCEPTED_value;
	ZVAL_LONG(&const_ACCEPTED_value, 202);
	zend_string *const_ACCEPTED_name = zend_string_init_interned("ACCEPTED", sizeof("ACCEPTED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_ACCEPTED_name, &const_ACCEPTED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_ACCEPTED_name);

	zval const_NON_AUTHORITATIVE_INFORMATION_value;
	ZVAL_LONG(&const_NON_AUTHORITATIVE_INFORMATION_value, 203);
	zend_string *const_NON_AUTHORITATIVE_INFORMATION_name = zend_string_init_interned("NON_AUTHORITATIVE_INFORMATION", sizeof("NON_AUTHORITATIVE_INFORMATION") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NON_AUTHORITATIVE_INFORMATION_name, &const_NON_AUTHORITATIVE_INFORMATION_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NON_AUTHORITATIVE_INFORMATION_name);

	zval const_NO_CONTENT_value;
	ZVAL_LONG(&const_NO_CONTENT_value, 204);
	zend_string *const_NO_CONTENT_name = zend_string_init_interned("NO_CONTENT", sizeof("NO_CONTENT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NO_CONTENT_name, &const_NO_CONTENT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NO_CONTENT_name);

	zval const_RESET_CONTENT_value;
	ZVAL_LONG(&const_RESET_CONTENT_value, 205);
	zend_string *const_RESET_CONTENT_name = zend_string_init_interned("RESET_CONTENT", sizeof("RESET_CONTENT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_RESET_CONTENT_name, &const_RESET_CONTENT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_RESET_CONTENT_name);

	zval const_PARTIAL_CONTENT_value;
	ZVAL_LONG(&const_PARTIAL_CONTENT_value, 206);
	zend_string *const_PARTIAL_CONTENT_name = zend_string_init_interned("PARTIAL_CONTENT", sizeof("PARTIAL_CONTENT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PARTIAL_CONTENT_name, &const_PARTIAL_CONTENT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PARTIAL_CONTENT_name);

	zval const_MULTI_STATUS_value;
	ZVAL_LONG(&const_MULTI_STATUS_value, 207);
	zend_string *const_MULTI_STATUS_name = zend_string_init_interned("MULTI_STATUS", sizeof("MULTI_STATUS") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_MULTI_STATUS_name, &const_MULTI_STATUS_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_MULTI_STATUS_name);

	zval const_ALREADY_REPORTED_value;
	ZVAL_LONG(&const_ALREADY_REPORTED_value, 208);
	zend_string *const_ALREADY_REPORTED_name = zend_string_init_interned("ALREADY_REPORTED", sizeof("ALREADY_REPORTED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_ALREADY_REPORTED_name, &const_ALREADY_REPORTED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_ALREADY_REPORTED_name);

	zval const_IM_USED_value;
	ZVAL_LONG(&const_IM_USED_value, 226);
	zend_string *const_IM_USED_name = zend_string_init_interned("IM_USED", sizeof("IM_USED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_IM_USED_name, &const_IM_USED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_IM_USED_name);

	zval const_MULTIPLE_CHOICES_value;
	ZVAL_LONG(&const_MULTIPLE_CHOICES_value, 300);
	zend_string *const_MULTIPLE_CHOICES_name = zend_string_init_interned("MULTIPLE_CHOICES", sizeof("MULTIPLE_CHOICES") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_MULTIPLE_CHOICES_name, &const_MULTIPLE_CHOICES_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_MULTIPLE_CHOICES_name);

	zval const_MOVED_PERMANENTLY_value;
	ZVAL_LONG(&const_MOVED_PERMANENTLY_value, 301);
	zend_string *const_MOVED_PERMANENTLY_name = zend_string_init_interned("MOVED_PERMANENTLY", sizeof("MOVED_PERMANENTLY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_MOVED_PERMANENTLY_name, &const_MOVED_PERMANENTLY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_MOVED_PERMANENTLY_name);

	zval const_FOUND_value;
	ZVAL_LONG(&const_FOUND_value, 302);
	zend_string *const_FOUND_name = zend_string_init_interned("FOUND", sizeof("FOUND") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_FOUND_name, &const_FOUND_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_FOUND_name);

	zval const_SEE_OTHER_value;
	ZVAL_LONG(&const_SEE_OTHER_value, 303);
	zend_string *const_SEE_OTHER_name = zend_string_init_interned("SEE_OTHER", sizeof("SEE_OTHER") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_SEE_OTHER_name, &const_SEE_OTHER_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_SEE_OTHER_name);

	zval const_NOT_MODIFIED_value;
	ZVAL_LONG(&const_NOT_MODIFIED_value, 304);
	zend_string *const_NOT_MODIFIED_name = zend_string_init_interned("NOT_MODIFIED", sizeof("NOT_MODIFIED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NOT_MODIFIED_name, &const_NOT_MODIFIED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NOT_MODIFIED_name);

	zval const_USE_PROXY_value;
	ZVAL_LONG(&const_USE_PROXY_value, 305);
	zend_string *const_USE_PROXY_name = zend_string_init_interned("USE_PROXY", sizeof("USE_PROXY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_USE_PROXY_name, &const_USE_PROXY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_USE_PROXY_name);

	zval const_SWITCH_PROXY_value;
	ZVAL_LONG(&const_SWITCH_PROXY_value, 306);
	zend_string *const_SWITCH_PROXY_name = zend_string_init_interned("SWITCH_PROXY", sizeof("SWITCH_PROXY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_SWITCH_PROXY_name, &const_SWITCH_PROXY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_SWITCH_PROXY_name);

	zval const_TEMPORARY_REDIRECT_value;
	ZVAL_LONG(&const_TEMPORARY_REDIRECT_value, 307);
	zend_string *const_TEMPORARY_REDIRECT_name = zend_string_init_interned("TEMPORARY_REDIRECT", sizeof("TEMPORARY_REDIRECT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_TEMPORARY_REDIRECT_name, &const_TEMPORARY_REDIRECT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_TEMPORARY_REDIRECT_name);

	zval const_PERMANENT_REDIRECT_value;
	ZVAL_LONG(&const_PERMANENT_REDIRECT_value, 308);
	zend_string *const_PERMANENT_REDIRECT_name = zend_string_init_interned("PERMANENT_REDIRECT", sizeof("PERMANENT_REDIRECT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PERMANENT_REDIRECT_name, &const_PERMANENT_REDIRECT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PERMANENT_REDIRECT_name);

	zval const_BAD_REQUEST_value;
	ZVAL_LONG(&const_BAD_REQUEST_value, 400);
	zend_string *const_BAD_REQUEST_name = zend_string_init_interned("BAD_REQUEST", sizeof("BAD_REQUEST") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_BAD_REQUEST_name, &const_BAD_REQUEST_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_BAD_REQUEST_name);

	zval const_UNAUTHORIZED_value;
	ZVAL_LONG(&const_UNAUTHORIZED_value, 401);
	zend_string *const_UNAUTHORIZED_name = zend_string_init_interned("UNAUTHORIZED", sizeof("UNAUTHORIZED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UNAUTHORIZED_name, &const_UNAUTHORIZED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UNAUTHORIZED_name);

	zval const_PAYMENT_REQUIRED_value;
	ZVAL_LONG(&const_PAYMENT_REQUIRED_value, 402);
	zend_string *const_PAYMENT_REQUIRED_name = zend_string_init_interned("PAYMENT_REQUIRED", sizeof("PAYMENT_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PAYMENT_REQUIRED_name, &const_PAYMENT_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PAYMENT_REQUIRED_name);

	zval const_FORBIDDEN_value;
	ZVAL_LONG(&const_FORBIDDEN_value, 403);
	zend_string *const_FORBIDDEN_name = zend_string_init_interned("FORBIDDEN", sizeof("FORBIDDEN") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_FORBIDDEN_name, &const_FORBIDDEN_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_FORBIDDEN_name);

	zval const_NOT_FOUND_value;
	ZVAL_LONG(&const_NOT_FOUND_value, 404);
	zend_string *const_NOT_FOUND_name = zend_string_init_interned("NOT_FOUND", sizeof("NOT_FOUND") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NOT_FOUND_name, &const_NOT_FOUND_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NOT_FOUND_name);

	zval const_METHOD_NOT_ALLOWED_value;
	ZVAL_LONG(&const_METHOD_NOT_ALLOWED_value, 405);
	zend_string *const_METHOD_NOT_ALLOWED_name = zend_string_init_interned("METHOD_NOT_ALLOWED", sizeof("METHOD_NOT_ALLOWED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_METHOD_NOT_ALLOWED_name, &const_METHOD_NOT_ALLOWED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_METHOD_NOT_ALLOWED_name);

	zval const_NOT_ACCEPTABLE_value;
	ZVAL_LONG(&const_NOT_ACCEPTABLE_value, 406);
	zend_string *const_NOT_ACCEPTABLE_name = zend_string_init_interned("NOT_ACCEPTABLE", sizeof("NOT_ACCEPTABLE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NOT_ACCEPTABLE_name, &const_NOT_ACCEPTABLE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NOT_ACCEPTABLE_name);

	zval const_PROXY_AUTHENTICATION_REQUIRED_value;
	ZVAL_LONG(&const_PROXY_AUTHENTICATION_REQUIRED_value, 407);
	zend_string *const_PROXY_AUTHENTICATION_REQUIRED_name = zend_string_init_interned("PROXY_AUTHENTICATION_REQUIRED", sizeof("PROXY_AUTHENTICATION_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PROXY_AUTHENTICATION_REQUIRED_name, &const_PROXY_AUTHENTICATION_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PROXY_AUTHENTICATION_REQUIRED_name);

	zval const_REQUEST_TIME_OUT_value;
	ZVAL_LONG(&const_REQUEST_TIME_OUT_value, 408);
	zend_string *const_REQUEST_TIME_OUT_name = zend_string_init_interned("REQUEST_TIME_OUT", sizeof("REQUEST_TIME_OUT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REQUEST_TIME_OUT_name, &const_REQUEST_TIME_OUT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REQUEST_TIME_OUT_name);

	zval const_CONFLICT_value;
	ZVAL_LONG(&const_CONFLICT_value, 409);
	zend_string *const_CONFLICT_name = zend_string_init_interned("CONFLICT", sizeof("CONFLICT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_CONFLICT_name, &const_CONFLICT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_CONFLICT_name);

	zval const_GONE_value;
	ZVAL_LONG(&const_GONE_value, 410);
	zend_string *const_GONE_name = zend_string_init_interned("GONE", sizeof("GONE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_GONE_name, &const_GONE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_GONE_name);

	zval const_LENGTH_REQUIRED_value;
	ZVAL_LONG(&const_LENGTH_REQUIRED_value, 411);
	zend_string *const_LENGTH_REQUIRED_name = zend_string_init_interned("LENGTH_REQUIRED", sizeof("LENGTH_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_LENGTH_REQUIRED_name, &const_LENGTH_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_LENGTH_REQUIRED_name);

	zval const_PRECONDITION_FAILED_value;
	ZVAL_LONG(&const_PRECONDITION_FAILED_value, 412);
	zend_string *const_PRECONDITION_FAILED_name = zend_string_init_interned("PRECONDITION_FAILED", sizeof("PRECONDITION_FAILED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PRECONDITION_FAILED_name, &const_PRECONDITION_FAILED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PRECONDITION_FAILED_name);

	zval const_REQUEST_ENTITY_TOO_LARGE_value;
	ZVAL_LONG(&const_REQUEST_ENTITY_TOO_LARGE_value, 413);
	zend_string *const_REQUEST_ENTITY_TOO_LARGE_name = zend_string_init_interned("REQUEST_ENTITY_TOO_LARGE", sizeof("REQUEST_ENTITY_TOO_LARGE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REQUEST_ENTITY_TOO_LARGE_name, &const_REQUEST_ENTITY_TOO_LARGE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REQUEST_ENTITY_TOO_LARGE_name);

	zval const_REQUEST_URI_TOO_LARGE_value;
	ZVAL_LONG(&const_REQUEST_URI_TOO_LARGE_value, 414);
	zend_string *const_REQUEST_URI_TOO_LARGE_name = zend_string_init_interned("REQUEST_URI_TOO_LARGE", sizeof("REQUEST_URI_TOO_LARGE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REQUEST_URI_TOO_LARGE_name, &const_REQUEST_URI_TOO_LARGE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REQUEST_URI_TOO_LARGE_name);

	zval const_UNSUPPORTED_MEDIA_TYPE_value;
	ZVAL_LONG(&const_UNSUPPORTED_MEDIA_TYPE_value, 415);
	zend_string *const_UNSUPPORTED_MEDIA_TYPE_name = zend_string_init_interned("UNSUPPORTED_MEDIA_TYPE", sizeof("UNSUPPORTED_MEDIA_TYPE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UNSUPPORTED_MEDIA_TYPE_name, &const_UNSUPPORTED_MEDIA_TYPE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UNSUPPORTED_MEDIA_TYPE_name);

	zval const_REQUESTED_RANGE_NOT_SATISFIABLE_value;
	ZVAL_LONG(&const_REQUESTED_RANGE_NOT_SATISFIABLE_value, 416);
	zend_string *const_REQUESTED_RANGE_NOT_SATISFIABLE_name = zend_string_init_interned("REQUESTED_RANGE_NOT_SATISFIABLE", sizeof("REQUESTED_RANGE_NOT_SATISFIABLE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REQUESTED_RANGE_NOT_SATISFIABLE_name, &const_REQUESTED_RANGE_NOT_SATISFIABLE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REQUESTED_RANGE_NOT_SATISFIABLE_name);

	zval const_EXPECTATION_FAILED_value;
	ZVAL_LONG(&const_EXPECTATION_FAILED_value, 417);
	zend_string *const_EXPECTATION_FAILED_name = zend_string_init_interned("EXPECTATION_FAILED", sizeof("EXPECTATION_FAILED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_EXPECTATION_FAILED_name, &const_EXPECTATION_FAILED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_EXPECTATION_FAILED_name);

	zval const_MISDIRECTED_REQUEST_value;
	ZVAL_LONG(&const_MISDIRECTED_REQUEST_value, 421);
	zend_string *const_MISDIRECTED_REQUEST_name = zend_string_init_interned("MISDIRECTED_REQUEST", sizeof("MISDIRECTED_REQUEST") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_MISDIRECTED_REQUEST_name, &const_MISDIRECTED_REQUEST_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_MISDIRECTED_REQUEST_name);

	zval const_UNPROCESSABLE_ENTITY_value;
	ZVAL_LONG(&const_UNPROCESSABLE_ENTITY_value, 422);
	zend_string *const_UNPROCESSABLE_ENTITY_name = zend_string_init_interned("UNPROCESSABLE_ENTITY", sizeof("UNPROCESSABLE_ENTITY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UNPROCESSABLE_ENTITY_name, &const_UNPROCESSABLE_ENTITY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UNPROCESSABLE_ENTITY_name);

	zval const_LOCKED_value;
	ZVAL_LONG(&const_LOCKED_value, 423);
	zend_string *const_LOCKED_name = zend_string_init_interned("LOCKED", sizeof("LOCKED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_LOCKED_name, &const_LOCKED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_LOCKED_name);

	zval const_FAILED_DEPENDENCY_value;
	ZVAL_LONG(&const_FAILED_DEPENDENCY_value, 424);
	zend_string *const_FAILED_DEPENDENCY_name = zend_string_init_interned("FAILED_DEPENDENCY", sizeof("FAILED_DEPENDENCY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_FAILED_DEPENDENCY_name, &const_FAILED_DEPENDENCY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_FAILED_DEPENDENCY_name);

	zval const_UNORDERED_COLLECTION_value;
	ZVAL_LONG(&const_UNORDERED_COLLECTION_value, 425);
	zend_string *const_UNORDERED_COLLECTION_name = zend_string_init_interned("UNORDERED_COLLECTION", sizeof("UNORDERED_COLLECTION") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UNORDERED_COLLECTION_name, &const_UNORDERED_COLLECTION_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UNORDERED_COLLECTION_name);

	zval const_UPGRADE_REQUIRED_value;
	ZVAL_LONG(&const_UPGRADE_REQUIRED_value, 426);
	zend_string *const_UPGRADE_REQUIRED_name = zend_string_init_interned("UPGRADE_REQUIRED", sizeof("UPGRADE_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UPGRADE_REQUIRED_name, &const_UPGRADE_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UPGRADE_REQUIRED_name);

	zval const_PRECONDITION_REQUIRED_value;
	ZVAL_LONG(&const_PRECONDITION_REQUIRED_value, 428);
	zend_string *const_PRECONDITION_REQUIRED_name = zend_string_init_interned("PRECONDITION_REQUIRED", sizeof("PRECONDITION_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_PRECONDITION_REQUIRED_name, &const_PRECONDITION_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_PRECONDITION_REQUIRED_name);

	zval const_TOO_MANY_REQUESTS_value;
	ZVAL_LONG(&const_TOO_MANY_REQUESTS_value, 429);
	zend_string *const_TOO_MANY_REQUESTS_name = zend_string_init_interned("TOO_MANY_REQUESTS", sizeof("TOO_MANY_REQUESTS") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_TOO_MANY_REQUESTS_name, &const_TOO_MANY_REQUESTS_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_TOO_MANY_REQUESTS_name);

	zval const_REQUEST_HEADER_FIELDS_TOO_LARGE_value;
	ZVAL_LONG(&const_REQUEST_HEADER_FIELDS_TOO_LARGE_value, 431);
	zend_string *const_REQUEST_HEADER_FIELDS_TOO_LARGE_name = zend_string_init_interned("REQUEST_HEADER_FIELDS_TOO_LARGE", sizeof("REQUEST_HEADER_FIELDS_TOO_LARGE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_REQUEST_HEADER_FIELDS_TOO_LARGE_name, &const_REQUEST_HEADER_FIELDS_TOO_LARGE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_REQUEST_HEADER_FIELDS_TOO_LARGE_name);

	zval const_UNAVAILABLE_FOR_LEGAL_REASONS_value;
	ZVAL_LONG(&const_UNAVAILABLE_FOR_LEGAL_REASONS_value, 451);
	zend_string *const_UNAVAILABLE_FOR_LEGAL_REASONS_name = zend_string_init_interned("UNAVAILABLE_FOR_LEGAL_REASONS", sizeof("UNAVAILABLE_FOR_LEGAL_REASONS") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_UNAVAILABLE_FOR_LEGAL_REASONS_name, &const_UNAVAILABLE_FOR_LEGAL_REASONS_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_UNAVAILABLE_FOR_LEGAL_REASONS_name);

	zval const_INTERNAL_SERVER_ERROR_value;
	ZVAL_LONG(&const_INTERNAL_SERVER_ERROR_value, 500);
	zend_string *const_INTERNAL_SERVER_ERROR_name = zend_string_init_interned("INTERNAL_SERVER_ERROR", sizeof("INTERNAL_SERVER_ERROR") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_INTERNAL_SERVER_ERROR_name, &const_INTERNAL_SERVER_ERROR_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_INTERNAL_SERVER_ERROR_name);

	zval const_NOT_IMPLEMENTED_value;
	ZVAL_LONG(&const_NOT_IMPLEMENTED_value, 501);
	zend_string *const_NOT_IMPLEMENTED_name = zend_string_init_interned("NOT_IMPLEMENTED", sizeof("NOT_IMPLEMENTED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NOT_IMPLEMENTED_name, &const_NOT_IMPLEMENTED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NOT_IMPLEMENTED_name);

	zval const_BAD_GATEWAY_value;
	ZVAL_LONG(&const_BAD_GATEWAY_value, 502);
	zend_string *const_BAD_GATEWAY_name = zend_string_init_interned("BAD_GATEWAY", sizeof("BAD_GATEWAY") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_BAD_GATEWAY_name, &const_BAD_GATEWAY_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_BAD_GATEWAY_name);

	zval const_SERVICE_UNAVAILABLE_value;
	ZVAL_LONG(&const_SERVICE_UNAVAILABLE_value, 503);
	zend_string *const_SERVICE_UNAVAILABLE_name = zend_string_init_interned("SERVICE_UNAVAILABLE", sizeof("SERVICE_UNAVAILABLE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_SERVICE_UNAVAILABLE_name, &const_SERVICE_UNAVAILABLE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_SERVICE_UNAVAILABLE_name);

	zval const_GATEWAY_TIME_OUT_value;
	ZVAL_LONG(&const_GATEWAY_TIME_OUT_value, 504);
	zend_string *const_GATEWAY_TIME_OUT_name = zend_string_init_interned("GATEWAY_TIME_OUT", sizeof("GATEWAY_TIME_OUT") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_GATEWAY_TIME_OUT_name, &const_GATEWAY_TIME_OUT_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_GATEWAY_TIME_OUT_name);

	zval const_HTTP_VERSION_NOT_SUPPORTED_value;
	ZVAL_LONG(&const_HTTP_VERSION_NOT_SUPPORTED_value, 505);
	zend_string *const_HTTP_VERSION_NOT_SUPPORTED_name = zend_string_init_interned("HTTP_VERSION_NOT_SUPPORTED", sizeof("HTTP_VERSION_NOT_SUPPORTED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_HTTP_VERSION_NOT_SUPPORTED_name, &const_HTTP_VERSION_NOT_SUPPORTED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_HTTP_VERSION_NOT_SUPPORTED_name);

	zval const_VARIANT_ALSO_NEGOTIATES_value;
	ZVAL_LONG(&const_VARIANT_ALSO_NEGOTIATES_value, 506);
	zend_string *const_VARIANT_ALSO_NEGOTIATES_name = zend_string_init_interned("VARIANT_ALSO_NEGOTIATES", sizeof("VARIANT_ALSO_NEGOTIATES") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_VARIANT_ALSO_NEGOTIATES_name, &const_VARIANT_ALSO_NEGOTIATES_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_VARIANT_ALSO_NEGOTIATES_name);

	zval const_INSUFFICIENT_STORAGE_value;
	ZVAL_LONG(&const_INSUFFICIENT_STORAGE_value, 507);
	zend_string *const_INSUFFICIENT_STORAGE_name = zend_string_init_interned("INSUFFICIENT_STORAGE", sizeof("INSUFFICIENT_STORAGE") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_INSUFFICIENT_STORAGE_name, &const_INSUFFICIENT_STORAGE_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_INSUFFICIENT_STORAGE_name);

	zval const_LOOP_DETECTED_value;
	ZVAL_LONG(&const_LOOP_DETECTED_value, 508);
	zend_string *const_LOOP_DETECTED_name = zend_string_init_interned("LOOP_DETECTED", sizeof("LOOP_DETECTED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_LOOP_DETECTED_name, &const_LOOP_DETECTED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_LOOP_DETECTED_name);

	zval const_NOT_EXTENDED_value;
	ZVAL_LONG(&const_NOT_EXTENDED_value, 510);
	zend_string *const_NOT_EXTENDED_name = zend_string_init_interned("NOT_EXTENDED", sizeof("NOT_EXTENDED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NOT_EXTENDED_name, &const_NOT_EXTENDED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NOT_EXTENDED_name);

	zval const_NETWORK_AUTHENTICATION_REQUIRED_value;
	ZVAL_LONG(&const_NETWORK_AUTHENTICATION_REQUIRED_value, 511);
	zend_string *const_NETWORK_AUTHENTICATION_REQUIRED_name = zend_string_init_interned("NETWORK_AUTHENTICATION_REQUIRED", sizeof("NETWORK_AUTHENTICATION_REQUIRED") - 1, 1);
	zend_declare_class_constant_ex(class_entry, const_NETWORK_AUTHENTICATION_REQUIRED_name, &const_NETWORK_AUTHENTICATION_REQUIRED_value, ZEND_ACC_PUBLIC, NULL);
	zend_string_release(const_NETWORK_AUTHENTICATION_REQUIRED_name);

	zval property_reasonPhrases_default_value;
	ZVAL_EMPTY_ARRAY(&property_reasonPhrases_default_value);
	zend_string *property_reasonPhrases_name = zend_string_init("reasonPhrases", sizeof("reasonPhrases") - 1, 1);
	zend_declare_property_ex(class_entry, property_reasonPhrases_name, &property_reasonPhrases_default_value, ZEND_ACC_PROTECTED|ZEND_ACC_STATIC, NULL);
	zend_string_release(property_reasonPhrases_name);

	return class_entry;
}
