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
# Secrets that the page tells the reader to make.
PAGE = (ROOT / "deploy/kubernetes/README.md").read_text()


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


def named(objects, kind): return {item["metadata"]["name"]: item for item in objects if item["kind"] == kind}


def check_container(pod, container, volumes, where):
    security = container["securityContext"]
    check(security["readOnlyRootFilesystem"] and not security["allowPrivilegeEscalation"], f"{where} is read-only")
    check(security["capabilities"] == {"drop": ["ALL"]}, f"{where} has no capabilities")
    check("memory" in container["resources"]["limits"] and "cpu" in container["resources"]["requests"], f"{where} is limited")
    check(not container["image"].endswith(":latest") and ":" in container["image"], f"{where} has a version")
    for mount in container["volumeMounts"]: check(mount["name"] in volumes, f"{where} mounts {mount['name']}, which is there")
    names = [variable["name"] for variable in container.get("env", [])]
    check(len(names) == len(set(names)), f"{where} says each setting once")
    unknown = set(names) - settings()
    check(not unknown, f"{where} sets what services read: {sorted(unknown)}")
    ports = {port["containerPort"] for other in pod["containers"] for port in other.get("ports", [])}
    for probe in ["startupProbe", "readinessProbe", "livenessProbe"]:
        if container["name"] == "service":
            check(container[probe]["httpGet"]["port"] in ports, f"{where}: a container listens for the {probe}")


def check_set(item, objects):
    name, pod = item["metadata"]["name"], item["spec"]["template"]["spec"]
    check(pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0, f"{name} does not run as root")
    check(pod["securityContext"]["seccompProfile"]["type"] == "RuntimeDefault", f"{name} is confined by seccomp")
    check(not pod["automountServiceAccountToken"], f"{name} has no key to the cluster")
    volumes = {volume["name"] for volume in pod["volumes"]}
    volumes |= {claim["metadata"]["name"] for claim in item["spec"]["volumeClaimTemplates"]}
    for container in pod.get("initContainers", []) + pod["containers"]:
        check_container(pod, container, volumes, f"{name}/{container['name']}")
    check(item["spec"]["serviceName"] in named(objects, "Service"), f"{name} has its service")
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
        return True
    return False


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
        check(any(selector.items() <= labels.items() for labels in pods), f"{item['kind']} {item['metadata']['name']} selects pods")
    for name, item in sets.items():
        check(item["spec"].get("replicas") == OVERLAYS[overlay], f"{name}: {OVERLAYS[overlay]}")
        check(is_shared(item) == (OVERLAYS[overlay] != 1), f"{name}: several share a store, one has its own")
    check(set(named(objects, "PodDisruptionBudget")) == set(sets), "each service has a disruption budget")
    if OVERLAYS[overlay] is None: check_autoscalers(named(objects, "HorizontalPodAutoscaler"), sets)
    print(f"ok: {overlay}: {len(objects)} objects, against Kubernetes {' and '.join(VERSIONS)}")


for overlay in OVERLAYS: check_overlay(overlay)
