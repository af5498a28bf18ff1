-- Healthy: Kuscia says Available, and the Deployment of every party, partners included, has just
-- the replicas that the party wants, all of them available and of the newest pod template.
-- Suspended: the same, but some party wants none; Kuscia itself says Progressing of that for ever.
-- Not seen: Kuscia notes no generation and hides failed updates. Here only parties and numbers of
-- replicas tell that an edit was not taken over. Whether any other edit was, or the AppImage of
-- the digest, only `servingctl status` can tell, which looks at the Deployments. A mended object
-- is Degraded until Kuscia looks at it again.
local failures = {
  ValidateFailed = true,
  BuildPartyKitInfoFailed = true,
  GetSelfPartyKitInfoFailed = true,
  AllocatePortsFailed = true,
  FillPartyClusterDefinesFailed = true,
  CreateServiceFailed = true,
  CreateConfigMapFailed = true,
  CreateDeploymentFailed = true,
  RetryProcessingFailed = true,
}

local function number(...)
  local value = at(...)
  return type(value) == "number" and value or nil
end

-- What is wrong with a Deployment, if Kubernetes has given up on it.
local function failure(told)
  for _, condition in ipairs(list(told, "conditions")) do
    local said = text(condition, "type") .. "=" .. text(condition, "status")
    if said == "Progressing=False" or said == "ReplicaFailure=True" then
      return condition
    end
  end
end

-- What is missing of a Deployment; nothing if it is as wanted.
local function missing(told, wanted)
  local there, updated = number(told, "replicas"), number(told, "updatedReplicas")
  local available = number(told, "availableReplicas")
  if there == nil or updated == nil or available == nil then
    return "nothing is told of it yet"
  end
  local is_wanted = there == wanted or (wanted == nil and there > 0)
  if is_wanted and updated == there and available == there then
    return nil
  end
  local goal = wanted and ", and " .. wanted .. " wanted" or ""
  return there .. " replicas, " .. updated .. " updated, " .. available .. " available" .. goal
end

local phase, reason = text(obj, "status", "phase"), text(obj, "status", "reason")
local message = text(obj, "status", "message")
if phase == "Failed" or failures[reason] then
  return answer("Degraded", reason, message, "Kuscia tries again once the object is touched")
end

local waiting, stopped, count = nil, nil, 0
for _, party in ipairs(list(obj, "spec", "parties")) do
  local unit, role = text(party, "domainID"), text(party, "role")
  local own = list(obj, "status", "partyDeploymentStatuses", unit)
  local name = text(obj, "metadata", "name")
  if role ~= "" then
    unit, name = unit .. "/" .. role, name .. "-" .. role
  end
  local bad, wanted = failure(own[name]), number(party, "template", "replicas")
  if bad then
    return answer("Degraded", unit, text(bad, "reason"), text(bad, "message"))
  end
  local lacks = missing(own[name], wanted)
  if lacks then
    waiting = waiting or (unit .. ": " .. lacks)
  elseif wanted == 0 then
    stopped = unit
  end
  count = count + 1
end

if waiting then
  return answer("Progressing", waiting, reason, message)
end
if stopped then
  return answer("Suspended", stopped, "no replicas are wanted")
end
if phase ~= "Available" then
  phase = phase == "" and "Kuscia has said nothing yet" or phase
  return answer("Progressing", phase, reason, message)
end
local digest = text(obj, "metadata", "annotations", "serving.gitops/appimage-digest")
if digest ~= "" then
  digest = "applied for " .. digest .. ", which only `servingctl status` finds in pods"
end
return answer("Healthy", "parties available: " .. count, digest)
