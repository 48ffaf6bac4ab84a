# Recipes for containers: read by their own languages' parsers.

yaml_is_read() {
    /usr/bin/python3 - packaging/docker/compose.yaml packaging/kubernetes/*.yaml <<'END'
import sys, yaml
for name in sys.argv[1:]:
    assert all(document for document in yaml.safe_load_all(open(name))), name
END
}

# The types of the API of Kubernetes, with a compiler that refuses a field that none of them has.
manifests_have_types() {
    install_checkers || return 1
    /usr/bin/python3 - build/package-checkers packaging/kubernetes/*.yaml <<'END'
import json, pathlib, sys, yaml
lines = []
for name in sys.argv[2:]:
    for document in yaml.safe_load_all(open(name)):
        module = document['apiVersion'] if '/' in document['apiVersion'] else 'core/' + document['apiVersion']
        lines.append(f"import type {{ {document['kind']} as T{len(lines)} }} from 'kubernetes-types/{module}';\n"
                     f"export const d{len(lines)}: T{len(lines)} = {json.dumps(document)};\n")
pathlib.Path(sys.argv[1], 'manifests.ts').write_text(''.join(lines))
END
    (cd build/package-checkers && node_modules/.bin/tsc --noEmit --strict --skipLibCheck --moduleResolution bundler --module esnext manifests.ts)
}

dockerfiles_are_read() {
    install_checkers || return 1
    (cd build/package-checkers && node -e '
        const { validate } = require("dockerfile-utils");
        let count = 0;
        for (const file of process.argv.slice(1)) {
            for (const problem of validate(require("fs").readFileSync(file, "utf8"))) {
                console.log(`${file}:${problem.range.start.line + 1}: ${problem.message}`);
                count++;
            }
        }
        process.exit(count ? 1 : 0);' "$root"/packaging/docker/Dockerfile "$root"/packaging/docker/Dockerfile.debian)
}

install_checkers() {
    [[ -d build/package-checkers/node_modules/kubernetes-types ]] ||
        npm install --silent --no-audit --no-fund --prefix build/package-checkers dockerfile-utils@0.16 kubernetes-types typescript@5
}

check 'compose and Kubernetes files are YAML' yaml_is_read
check 'Kubernetes files fit the types of its API' manifests_have_types
check 'Dockerfiles have no mistakes' dockerfiles_are_read
