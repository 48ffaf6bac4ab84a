// Numbers of the API's own errors: what getLastError(), errCode and exceptions show. Their
// constants are SWOOLE_ERROR_* (constants_table.h).
#pragma once

namespace stampede::api_error {

inline constexpr int kInvalidParams = 505;
inline constexpr int kWrongOperation = 509;
inline constexpr int kNoPayload = 550;
inline constexpr int kFileNotExist = 700;
inline constexpr int kDnsResolveFailed = 711;
inline constexpr int kDnsResolveTimeout = 712;
inline constexpr int kDnsNoServer = 714;
inline constexpr int kBadHostAddress = 722;
inline constexpr int kBadPort = 723;
inline constexpr int kSessionClosed = 1004;
inline constexpr int kSessionNotExist = 1005;
inline constexpr int kSessionInvalidId = 1006;
inline constexpr int kOutputBufferOverflow = 1009;
inline constexpr int kSslNotReady = 1011;
inline constexpr int kSslEmptyPeerCertificate = 1013;
inline constexpr int kSslVerifyFailed = 1014;
inline constexpr int kSslBadProtocol = 1016;
inline constexpr int kSslHandshakeFailed = 1018;
inline constexpr int kSslCreateContextFailed = 1019;
inline constexpr int kSslCreateSessionFailed = 1020;
inline constexpr int kPackageTooLarge = 1201;
inline constexpr int kDataTooLarge = 1203;
inline constexpr int kPackageMalformed = 1204;
inline constexpr int kHttp2StreamIdTooBig = 3001;
inline constexpr int kHttp2StreamNotFound = 3003;
inline constexpr int kHttp2InternalError = 3006;
inline constexpr int kClientNoConnection = 5001;
inline constexpr int kHttpInvalidProtocol = 7102;
inline constexpr int kHttpContextUnavailable = 7106;
inline constexpr int kWebSocketUnconnected = 8503;
inline constexpr int kWebSocketHandshakeFailed = 8504;
inline constexpr int kWebSocketUnpackFailed = 8506;
inline constexpr int kOutOfCoroutine = 10001;
inline constexpr int kHasBeenBound = 10002;
inline constexpr int kMutexDoubleUnlock = 10004;
inline constexpr int kCannotCancel = 10015;
inline constexpr int kNotExists = 10016;
inline constexpr int kCanceled = 10017;
inline constexpr int kTimedOut = 10018;

}  // namespace stampede::api_error
