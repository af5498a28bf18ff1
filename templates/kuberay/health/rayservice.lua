-- Healthy: KubeRay has seen the latest spec, something answers (Ready), every application runs,
-- and no other cluster is being made. Suspended: Suspended is True.
-- Degraded: invalid, not ready in time, or an application fails; also if only the new cluster's
-- do while the old one serves.
-- Not seen: an invalid annotation, which moves no generation; edits that KubeRay does not take
-- over, as of replicas and tolerations of a running cluster. Before v1.3 KubeRay tells no
-- conditions, which is Progressing.
local told, count = {}, 0
for _, condition in ipairs(list(obj, "status", "conditions")) do
  told[text(condition, "type")] = condition
  count = count + 1
end

-- The first application by name that is other than wanted, with what it says.
local function first(side, is_meant)
  local found, application = nil, nil
  for name, said in pairs(list(obj, "status", side, "applicationStatuses")) do
    if is_meant(text(said, "status")) and (found == nil or name < found) then
      found, application = name, said
    end
  end
  return found, text(application, "status"), text(application, "message")
end

local function is_bad(status)
  return status == "DEPLOY_FAILED" or status == "UNHEALTHY"
end

local function is_on_its_way(status)
  return status ~= "RUNNING"
end

local ready, reason = text(told, "Ready", "status"), text(told, "Ready", "reason")
local message = text(told, "Ready", "message")
local seen = at(obj, "status", "observedGeneration") == at(obj, "metadata", "generation")
local is_invalid = ready == "False" and reason == "ValidationFailed"
if is_invalid and seen then
  return answer("Progressing", "it was invalid before, or an annotation is", message)
end
if is_invalid or (ready == "False" and reason == "InitializingTimeout") then
  return answer("Degraded", reason, message)
end
if count == 0 or not seen then
  return answer("Progressing", "KubeRay has not seen the latest spec yet")
end
if text(told, "Suspended", "status") == "True" then
  return answer("Suspended", "it is suspended")
end

local name, status, why = first("activeServiceStatus", is_bad)
if name then
  return answer("Degraded", name, status, why)
end
name, status, why = first("pendingServiceStatus", is_bad)
if text(told, "UpgradeInProgress", "status") == "True" then
  if name then
    return answer("Degraded", "the new cluster fails, the old one serves", name, status, why)
  end
  return answer("Progressing", "a new cluster is on its way")
end
if ready ~= "True" then
  return answer("Progressing", "waiting for Ready", reason, message, name or "", status, why)
end
name, status, why = first("activeServiceStatus", is_on_its_way)
if name then
  return answer("Progressing", name, status, why)
end
return answer("Healthy", "every application runs")
