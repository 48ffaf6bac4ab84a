#include "server/static/rules.h"

#include <gtest/gtest.h>

namespace stampede::server {
namespace {

TEST(StaticRules, SourceAndHiddenFilesArePrivateWithoutAnySettings) {
    StaticRules rules({});
    for (const char* path : {"/x.php", "/X.PHP", "/x.php. .", "/a/.env", "/a/.well-known/x",
                             "/.well-known/.x", "/.well-known/x.php", "/.git/config", "/x.inc"}) {
        EXPECT_TRUE(rules.is_private(path)) << path;
    }
    for (const char* path : {"/", "/a/", "/x.css", "/php", "/a.b/c", "/.well-known/acme/token"}) {
        EXPECT_FALSE(rules.is_private(path)) << path;
    }
}

TEST(StaticRules, PatternsFitNamesInBothCasesAndNoFolders) {
    StaticRules rules({false, {}, {"*.sql", "composer.*", "*.php*", "*~", "error_log"}, {}});
    for (const char* path : {"/x.sql", "/a/X.SQL", "/composer.lock", "/x.php.bak", "/x.css~",
                             "/error_log", "/x.sql."}) {
        EXPECT_TRUE(rules.is_private(path)) << path;
    }
    for (const char* path : {"/x.sql.css", "/composer.d/x", "/my.composer", "/error_log.css"}) {
        EXPECT_FALSE(rules.is_private(path)) << path;
    }
}

TEST(StaticRules, WithTypesNothingElseIsSent) {
    StaticRules rules({false, {"css", "PNG"}, {}, {"/vendor/"}});
    for (const char* path : {"/x.txt", "/css", "/x.", "/a.css/x", "/vendor/x.css", "/x.css.gz"}) {
        EXPECT_TRUE(rules.is_private(path)) << path;
    }
    for (const char* path : {"/x.css", "/X.Css", "/x.png", "/a/vendor/x.css", "/a/"}) {
        EXPECT_FALSE(rules.is_private(path)) << path;
    }
    EXPECT_FALSE(rules.is_private_elsewhere("/vendor/x.css"));
    EXPECT_FALSE(rules.is_private("/.well-known/token"));
}

TEST(StaticRules, AnHtaccessDeniesAFolderAsAWhole) {
    EXPECT_EQ(folder_access("Deny from all"), FolderAccess::kDenied);
    EXPECT_EQ(folder_access("order allow,deny\n\tDENY  from\tall\r\n"), FolderAccess::kDenied);
    EXPECT_EQ(folder_access("<IfModule mod_authz_core.c>\n Require all denied\n</IfModule>"),
              FolderAccess::kDenied);
    EXPECT_EQ(folder_access("Require all granted"), FolderAccess::kGranted);
    EXPECT_EQ(folder_access("# Deny from all\nRewriteEngine on"), FolderAccess::kUnsaid);
    EXPECT_EQ(
        folder_access("<Files x>\nDeny from all\n</Files>\n<Limit PUT>\nDeny from all\n</Limit>"),
        FolderAccess::kUnsaid);
    EXPECT_EQ(folder_access("Deny from all\n<FilesMatch js>\nAllow from all\n</FilesMatch>"),
              FolderAccess::kDenied);
    EXPECT_EQ(folder_access(""), FolderAccess::kUnsaid);
}

}  // namespace
}  // namespace stampede::server
