#!/usr/bin/env python3
"""Builds the overlays of deploy/kubernetes and holds them against Kubernetes' published schemas, and against themselves.

Needs `kubectl` (for its kustomize, 5.0 or later), and from Tests/Kubernetes/requirements.txt the schemas. No cluster is
asked. `make kubernetes-test` runs it.
"""
import pathlib, re, subprocess, sys

import kubernetes_validate, yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
# With how many replicas of each service; None where autoscalers say that.
OVERLAYS = {"single-node": 1, "several-nodes": 2, "autoscaled": None}
# The oldest that has what is used, and the newest that is published.
VERSIONS = ["1.29", "1.35"]
# Secrets that the page tells the reader to make, and what else it has him type.
PAGE = (ROOT / "deploy/kubernetes/README.md").read_text()
NODE_PORTS = range(30000, 32768)


def check(holds, what):
    if not holds: sys.exit(f"failed: {what}")


def build(overlay):
    text = subprocess.run(["kubectl", "kustomize", ROOT / "deploy/kubernetes/overlays" / overlay], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return list(yaml.safe_load_all(text))


def settings():
    """The variables that services read, from the commented files that they write of themselves."""
    names = set()
    for path in (ROOT / "deploy/config").glob("*.yaml"):
        parents = {}
        for line in path.read_text().splitlines():
            if not (found := re.match(r"#( *)([a-z][a-z-]*):", line)): continue
            depth = len(found[1])
            parents = {deeper: name for deeper, name in parents.items() if deeper < depth} | {depth: found[2]}
            names.add("GRIDTIDE_" + "_".join(parents.values()).replace("-", "_").upper())
    return names


def version(): return re.search(r"\((.*?)\)", (ROOT / "deploy/debian/changelog").read_text())[1]


def connections():
    """How many one process opens to PostgreSQL, as its sources say: its pool, and one for its lease."""
    source = (ROOT / "Sources/Adapters/ServiceRuntime/Configuration/StoreKeys.swift").read_text()
    return int(re.search(r'"store.connections", default: (\d+)', source)[1]) + 1


def named(objects, kind): return {item["metadata"]["name"]: item for item in objects if item["kind"] == kind}


def check_container(pod, container, volumes, where):
    security = container["securityContext"]
    check(security["readOnlyRootFilesystem"] and not security["allowPrivilegeEscalation"], f"{where} is read-only")
    check(security["capabilities"] == {"drop": ["ALL"]}, f"{where} has no capabilities")
    check("memory" in container["resources"]["limits"] and "cpu" in container["resources"]["requests"], f"{where} is limited")
    check(not container["image"].endswith(":latest") and ":" in container["image"], f"{where} has a version")
    # Without one, it would be pulled from a registry where anybody may have taken the name.
    registry, *path = container["image"].split("/")
    check(path and ("." in registry or registry == "localhost"), f"{where}: {container['image']} says where it is pulled from")
    for mount in container["volumeMounts"]: check(mount["name"] in volumes, f"{where} mounts {mount['name']}, which is there")
    names = [variable["name"] for variable in container.get("env", [])]
    check(len(names) == len(set(names)), f"{where} says each setting once")
    unknown = set(names) - settings()
    check(not unknown, f"{where} sets what services read: {sorted(unknown)}")
    ports = {port["containerPort"] for other in pod["containers"] for port in other.get("ports", [])}
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
        if container["name"] == "service":
            check(container[probe]["httpGet"]["port"] in ports, f"{where}: a container listens for the {probe}")
            # Killed for not serving, it would begin anew with what kept it from that.
            path = "/readyz" if probe == "readinessProbe" else "/healthz"
            check(container[probe]["httpGet"]["path"] == path, f"{where}: the {probe} asks {path}")
    if container["name"] == "service": check(container["image"].endswith(f":{version()}"), f"{where} is version {version()}")


def check_set(item, objects):
    name, pod = item["metadata"]["name"], item["spec"]["template"]["spec"]
    check(pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0, f"{name} does not run as root")
    check(pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", f"{name} is confined by seccomp")
    check(not pod["automountServiceAccountToken"], f"{name} has no key to the cluster")
    volumes = {volume["name"] for volume in pod["volumes"]}
    volumes |= {claim["metadata"]["name"] for claim in item["spec"]["volumeClaimTemplates"]}
    for container in pod.get("initContainers", []) + pod["containers"]:
        check_container(pod, container, volumes, f"{name}/{container['name']}")
    service = named(objects, "Service").get(item["spec"]["serviceName"])
    check(service and service["spec"].get("publishNotReadyAddresses"), f"{name} has its service, also while it does not serve")
    for volume in pod["volumes"]:
        if "configMap" in volume: check(volume["configMap"]["name"] in named(objects, "ConfigMap"), f"{name}: {volume}")
        if "secret" in volume: check(volume["secret"]["secretName"] in PAGE, f"{name}: the page makes {volume['secret']}")
    # A peer is asked for under the name and the port of a service that is there.
    for variable in (variable for container in pod["containers"] for variable in container.get("env", [])):
        for host, port in re.findall(r"tcp://([a-z][a-z-]+):(\d+)", variable.get("value", "")):
            service = named(objects, "Service").get(host)
            check(service and int(port) in [port["port"] for port in service["spec"]["ports"]], f"{name} finds {host}:{port}")


def is_shared(item):
    service = next(other for other in item["spec"]["template"]["spec"]["containers"] if other["name"] == "service")
    for variable in service["env"]:
        if variable["name"] != "GRIDTIDE_STORE_POSTGRESQL": continue
        secret = variable["valueFrom"]["secretKeyRef"]
        check(f"{secret['name']} " in PAGE and f"--from-literal={secret['key']}=" in PAGE, f"the page makes {secret}")
        check_database(item, service)
        return True
    return False


def check_database(item, service):
    """What the page has the services connect with proves who answers, by a file that is there."""
    name = item["metadata"]["name"]
    check("sslmode=verify-full" in PAGE and "sslmode=require" not in PAGE, "the page has the database's certificate checked")
    authority = pathlib.PurePosixPath(re.search(r"sslrootcert=([^&\"]+)", PAGE)[1])
    mount = next((mount for mount in service["volumeMounts"] if mount["mountPath"] == str(authority.parent)), None)
    check(mount, f"{name} mounts {authority.parent}")
    volume = next(volume for volume in item["spec"]["template"]["spec"]["volumes"] if volume["name"] == mount["name"])
    paths = {entry["path"]: entry["key"] for entry in volume["secret"]["items"]}
    check(f"--from-file={paths.get(authority.name)}=" in PAGE, f"the page makes {authority}")
    spread = item["spec"]["template"]["spec"]["topologySpreadConstraints"]
    check([(one["topologyKey"], one["whenUnsatisfiable"], one.get("minDomains")) for one in spread]
          == [("kubernetes.io/hostname", "DoNotSchedule", 2)], f"replicas of {name} are on nodes of their own")


def check_clients(objects, sets, counts):
    """Whether clients outside reach each replica that there may be: what one leaves to another they ask of that one."""
    used = set()
    for name, item in sets.items():
        own = named(objects, "Service")[item["spec"]["serviceName"]]["spec"]["ports"]
        wanted = {port["name"]: port["port"] for port in own if port["name"] in ("requests", "publications")}
        for pod in range(counts[name]):
            labels = {"app.kubernetes.io/name": name, "statefulset.kubernetes.io/pod-name": f"{name}-{pod}"}
            found = [service["spec"] for service in objects if service["kind"] == "Service"
                     and service["spec"].get("type") in ("NodePort", "LoadBalancer")
                     and service["spec"]["selector"].items() <= labels.items()]
            check(len(found) == 1, f"one service exposes {name}-{pod}")
            spec = found[0]
            check(counts[name] == 1 or "statefulset.kubernetes.io/pod-name" in spec["selector"], f"{name}-{pod} has its own")
            check({port["name"]: port.get("targetPort", port["port"]) for port in spec["ports"]} == wanted,
                  f"{name}-{pod} is reached for {sorted(wanted)}")
            check(spec.get("publishNotReadyAddresses"), f"{name}-{pod} is reached also while it does not serve")
            for port in spec["ports"] if spec["type"] == "NodePort" else []:
                place = port["nodePort"]
                check(place in NODE_PORTS and place not in used, f"{name}-{pod} has {place} for itself")
                check(place == port["port"] + 23000 + 100 * pod, f"{name}-{pod}: {place} is what the page says")
                used.add(place)
                if (port["name"], pod) == ("requests", 0): check(f"$(at {place} 2)" in PAGE, f"the page names {place}")


def allows(objects, direction, labels, port, protocol="TCP"):
    """Whether some policy lets those pods use the port."""
    key = direction.lower()
    for policy in (item["spec"] for item in objects if item["kind"] == "NetworkPolicy"):
        if not policy["podSelector"].get("matchLabels", {}).items() <= labels.items(): continue
        for rule in policy.get(key, []) if direction in policy["policyTypes"] else []:
            for entry in rule["ports"]:
                if entry.get("protocol", "TCP") == protocol and entry["port"] <= port <= entry.get("endPort", entry["port"]):
                    return True
    return False


def check_policies(objects, sets, is_shared):
    check(any(item["spec"]["podSelector"] == {} and not ({"ingress", "egress"} & item["spec"].keys())
              for item in objects if item["kind"] == "NetworkPolicy"), "all is refused that no policy allows")
    for name, item in sets.items():
        labels = item["spec"]["template"]["metadata"]["labels"]
        for protocol in ["UDP", "TCP"]:
            check(allows(objects, "Egress", labels, 53, protocol), f"{name} asks for names by {protocol}")
        for port in named(objects, "Service")[item["spec"]["serviceName"]]["spec"]["ports"]:
            check(allows(objects, "Ingress", labels, port["port"]), f"{name} is reached at {port['port']}")
        for text in re.findall(r"tcp://[a-z-]+:(\d+)", str(item)):
            check(allows(objects, "Egress", labels, int(text)), f"{name} reaches {text}")
        check(allows(objects, "Egress", labels, 5432) == is_shared, f"{name} reaches a database only where it has one")


def check_page():
    """What the page has typed is typed in one folder, and names what is there."""
    check(not re.search(r"(?m)^(cd|kustomize) ", PAGE), "the page stays in the checkout, and needs nothing but what it names")
    for path in re.findall(r"\bdeploy/[\w./-]*\w", PAGE):
        check("NAME" in path or (ROOT / path).exists(), f"{path} of the page is there")
    check(len(re.findall(r"(?m)^ *newName: ", (ROOT / "deploy/kubernetes/base/kustomization.yaml").read_text())) == 1,
          "the page's sed says where the image is, for all overlays")
    scrape = (ROOT / "deploy/kubernetes/monitoring/prometheus-scrape.yaml").read_text()
    password = pathlib.PurePosixPath(re.search(r"password_file: ([\w./-]+)", scrape)[1])
    check(str(password.parent) in PAGE and f"--from-literal={password.name}=" in PAGE, f"the page makes {password}")


def check_connections(counts):
    """What deploy/README.md has max_connections be, for all replicas."""
    page = (ROOT / "deploy/README.md").read_text()
    each, processes = connections(), sum(counts.values())
    terms = " + ".join(str(counts[name]) for name in ["guidance-publisher", "event-ingestor", "insight-service", "scheduler"])
    check(f"{terms} = {processes}" in page, f"deploy/README.md counts {terms} = {processes} processes")
    check(f"{each} × {processes} = {each * processes}" in page, f"deploy/README.md counts {each} × {processes} connections")
    least = int(re.search(r"max_connections = (\d+)", page)[1])
    check(each * processes < least, f"max_connections = {least} has room for {each * processes}")


def check_autoscalers(scalers, sets):
    check(set(scalers) == set(sets), "each service has an autoscaler")
    rules = yaml.safe_load((ROOT / "deploy/kubernetes/monitoring/prometheus-adapter.yaml").read_text())["rules"]["custom"]
    brought = {rule["seriesQuery"].split("{")[0] for rule in rules}
    sources = "".join(path.read_text() for path in (ROOT / "Sources").rglob("*.swift"))
    for series in re.findall(r"gridtide_\w+", " ".join(rule["seriesQuery"] + rule["metricsQuery"] for rule in rules)):
        check(f'"{series}"' in sources, f"services tell {series}")
    for name, item in scalers.items():
        spec = item["spec"]
        check(spec["scaleTargetRef"]["name"] == name and spec["minReplicas"] >= 2, f"{name} is scaled, from two on")
        for metric in (metric["pods"]["metric"]["name"] for metric in spec["metrics"]):
            check(metric in brought, f"{name}: the adapter brings {metric}")


def check_overlay(overlay):
    objects = build(overlay)
    for item in objects:
        for version in VERSIONS: kubernetes_validate.validate(item, version, strict=True)
        check(item["kind"] == "Namespace" or item["metadata"].get("namespace") == "gridtide", f"{item['kind']} is in gridtide")
    sets = named(objects, "StatefulSet")
    check(len(sets) == 4, "four services")
    for item in sets.values(): check_set(item, objects)
    pods = [item["spec"]["template"]["metadata"]["labels"] for item in sets.values()]
    for item in objects:
        spec = item.get("spec", {})
        selector = {"Service": lambda: spec["selector"], "PodDisruptionBudget": lambda: spec["selector"]["matchLabels"],
                    "NetworkPolicy": lambda: spec["podSelector"].get("matchLabels", {})}.get(item["kind"], dict)()
        # That of one pod, which its set gives it, is looked at in check_clients.
        selector = {key: value for key, value in selector.items() if key != "statefulset.kubernetes.io/pod-name"}
        check(any(selector.items() <= labels.items() for labels in pods), f"{item['kind']} {item['metadata']['name']} selects pods")
    for name, item in sets.items():
        check(item["spec"].get("replicas") == OVERLAYS[overlay], f"{name}: {OVERLAYS[overlay]}")
        check(is_shared(item) == (OVERLAYS[overlay] != 1), f"{name}: several share a store, one has its own")
    check(set(named(objects, "PodDisruptionBudget")) == set(sets), "each service has a disruption budget")
    scalers = named(objects, "HorizontalPodAutoscaler")
    if OVERLAYS[overlay] is None: check_autoscalers(scalers, sets)
    counts = {name: OVERLAYS[overlay] or scalers[name]["spec"]["maxReplicas"] for name in sets}
    check_clients(objects, sets, counts)
    check_policies(objects, sets, OVERLAYS[overlay] != 1)
    if OVERLAYS[overlay] is None: check_connections(counts)
    print(f"ok: {overlay}: {len(objects)} objects, against Kubernetes {' and '.join(VERSIONS)}")


check_page()
for overlay in OVERLAYS: check_overlay(overlay)
