-- Healthy: KServe has seen this generation, Ready and PresetsCombined are True (a preset or a base
-- that disappears lowers only the latter), and a role that asks for pods by number has one that
-- is ready. Suspended: Ready is False because it is stopped. Degraded: there is no spec to run, or
-- KServe could not make something, or waits for what somebody has to bring; a name that it does not
-- find leaves Ready Unknown. What is said of groups and of images as volumes is advice.
-- Not seen: Ready stays True while a newer version of the pods starts, and after it has failed.
local lasting = {
  HTTPRouteFetchError = true,
  HTTPRouteReconcileError = true,
  InferencePoolFetchError = true,
  PlatformNetworkingReconcileError = true,
  ProgressDeadlineExceeded = true,
  ReconcileCertsError = true,
  ReconcileMultiNodeWorkloadError = true,
  ReconcileScalingError = true,
  ReconcileSingleNodeWorkloadError = true,
  ReconcileWorkloadPermissionsError = true,
  ReconcileWorkloadServiceError = true,
  RefsInvalid = true,
  ScalingCRDNotFound = true,
  SchedulerReconcileError = true,
}
local ready, combined, failed = nil, nil, nil
for _, condition in ipairs(list(obj, "status", "conditions")) do
  local kind, is_false = text(condition, "type"), text(condition, "status") == "False"
  if kind == "Ready" then
    ready = condition
  end
  if kind == "PresetsCombined" then
    combined = condition
  end
  if is_false and (kind == "PresetsCombined" or lasting[text(condition, "reason")]) then
    failed = failed or condition
  end
end

local seen, newest = at(obj, "status", "observedGeneration"), at(obj, "metadata", "generation")
if type(seen) == "number" and type(newest) == "number" and seen ~= newest then
  return answer("Progressing", "KServe has not seen the latest spec")
end
if text(ready, "status") == "False" and text(ready, "reason") == "Stopped" then
  return answer("Suspended", "it is stopped")
end
if failed then
  return answer("Degraded", text(failed, "type"), text(failed, "reason"), text(failed, "message"))
end
if text(ready, "status") ~= "True" then
  return answer("Progressing", "waiting for Ready", text(ready, "reason"), text(ready, "message"))
end
if text(combined, "status") ~= "True" then
  return answer("Progressing", "waiting for PresetsCombined")
end
for role, spec in pairs({primary = at(obj, "spec"), prefill = at(obj, "spec", "prefill")}) do
  local replicas, workload = at(spec, "replicas"), at(obj, "status", "workloads", role)
  if workload ~= nil and type(replicas) == "number" and replicas > 0 then
    local pods = at(workload, "readyReplicas")
    if type(pods) ~= "number" or pods < 1 then
      return answer("Progressing", role, "none of its pods is ready")
    end
  end
end
return answer("Healthy", "Ready, as far as KServe has seen its pods")
