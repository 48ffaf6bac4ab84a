#include <cstring>

#include "proto/http/message.h"

namespace stampede::proto::http {
namespace {

constexpr char kDays[] = "SunMonTueWedThuFriSat";
constexpr char kMonths[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr int64_t kSecondsPerDay = 86400;
constexpr int64_t kLastSecond = 253402300799;  // 9999-12-31 23:59:59: the year has four digits

struct CivilDate {
    int year;
    int month;  // 1 to 12
    int day;
};

// Days since 1970-01-01 and back, by counting in eras of 400 years that begin on the first of
// March.
CivilDate civil_from_days(int64_t days) {
    days += 719468;
    int64_t era = days / 146097;
    int64_t day_of_era = days % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted_month = (5 * day_of_year + 2) / 153;
    int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
    int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
    int year = static_cast<int>(year_of_era + era * 400) + (month <= 2 ? 1 : 0);
    return {year, month, day};
}

int64_t days_from_civil(const CivilDate& date) {
    int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    int64_t era = year / 400;
    int64_t year_of_era = year % 400;
    int64_t shifted_month = date.month > 2 ? date.month - 3 : date.month + 9;
    int64_t day_of_year = (153 * shifted_month + 2) / 5 + date.day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

void put_number(char* out, int64_t number, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
        out[i] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
}

bool take_number(std::string_view text, int& out) {
    out = 0;
    for (char c : text) {
        if (c < '0' || c > '9') {
            return false;
        }
        out = out * 10 + (c - '0');
    }
    return true;
}

// The 1-based place of a month's three letters, 0 when there is no such month.
int month_number(std::string_view name) {
    for (int i = 0; i < 12; i++) {
        if (name == std::string_view(kMonths + 3 * i, 3)) {
            return i + 1;
        }
    }
    return 0;
}

}  // namespace

void format_date(time_t when, char out[kDateLength]) {
    int64_t seconds = when < 0 ? 0 : (when > kLastSecond ? kLastSecond : when);
    int64_t days = seconds / kSecondsPerDay;
    int64_t rest = seconds % kSecondsPerDay;
    CivilDate date = civil_from_days(days);
    std::memcpy(out, "Sun, 06 Nov 1994 08:49:37 GMT", kDateLength);
    std::memcpy(out, kDays + 3 * ((days + 4) % 7), 3);
    put_number(out + 5, date.day, 2);
    std::memcpy(out + 8, kMonths + 3 * (date.month - 1), 3);
    put_number(out + 12, date.year, 4);
    put_number(out + 17, rest / 3600, 2);
    put_number(out + 20, rest / 60 % 60, 2);
    put_number(out + 23, rest % 60, 2);
}

bool parse_date(std::string_view text, time_t& out) {
    if (text.size() != kDateLength) {
        return false;
    }
    CivilDate date;
    int hour;
    int minute;
    int second;
    date.month = month_number(text.substr(8, 3));
    if (date.month == 0 || !take_number(text.substr(5, 2), date.day) ||
        !take_number(text.substr(12, 4), date.year) || !take_number(text.substr(17, 2), hour) ||
        !take_number(text.substr(20, 2), minute) || !take_number(text.substr(23, 2), second) ||
        date.year < 1970) {
        return false;
    }
    time_t when = days_from_civil(date) * kSecondsPerDay + hour * 3600 + minute * 60 + second;
    // What does not come out as it went in (31 Feb, 25:00, a wrong day of the week) is no date.
    char check[kDateLength];
    format_date(when, check);
    if (text != std::string_view(check, kDateLength)) {
        return false;
    }
    out = when;
    return true;
}

}  // namespace stampede::proto::http
