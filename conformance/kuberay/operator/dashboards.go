package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	rayv1 "github.com/ray-project/kuberay/ray-operator/apis/ray/v1"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/dashboardclient"
	"github.com/ray-project/kuberay/ray-operator/controllers/ray/utils/types"
	"k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// jobStates says how a job ends whose name starts so; all others run for ever.
var jobStates = map[string]rayv1.JobStatus{
	"succeeding": rayv1.JobStatusSucceeded,
	"failing":    rayv1.JobStatusFailed,
}

// applicationStates are by the name of an application; all others run.
var applicationStates = map[string]string{
	"deploying": rayv1.ApplicationStatusEnum.DEPLOYING,
	"failing":   rayv1.ApplicationStatusEnum.DEPLOY_FAILED,
	"unhealthy": rayv1.ApplicationStatusEnum.UNHEALTHY,
}

// dashboards stands in for those of all Ray clusters, by namespace and name of the cluster.
type dashboards struct {
	lock    sync.Mutex
	written map[string][]json.RawMessage
}

func newDashboards() *dashboards {
	return &dashboards{written: map[string][]json.RawMessage{}}
}

// listen tells whoever asks what was written to each of the dashboards.
func (all *dashboards) listen() (string, error) {
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		return "", err
	}
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(writer http.ResponseWriter, _ *http.Request) {
			all.lock.Lock()
			defer all.lock.Unlock()
			_ = json.NewEncoder(writer).Encode(all.written)
		}))
	}()
	return "http://" + listener.Addr().String(), nil
}

func (all *dashboards) GetDashboardClient(
	context.Context, manager.Manager,
) func(*rayv1.RayCluster, string) (dashboardclient.RayDashboardClientInterface, error) {
	return func(cluster *rayv1.RayCluster, _ string) (dashboardclient.RayDashboardClientInterface, error) {
		return &dashboard{
			all:     all,
			cluster: cluster.Namespace + "/" + cluster.Name,
			waits:   cluster.Labels[utils.RayJobSubmissionModeLabelKey] == string(rayv1.HTTPMode),
		}, nil
	}
}

func (all *dashboards) GetHttpProxyClient(
	manager.Manager,
) func(string, string, string, int) utils.RayHttpProxyClientInterface {
	return func(string, string, string, int) utils.RayHttpProxyClientInterface {
		return &utils.FakeRayHttpProxyClient{IsHealthy: true}
	}
}

func (all *dashboards) write(cluster string, content any) error {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	all.lock.Lock()
	defer all.lock.Unlock()
	all.written[cluster] = append(all.written[cluster], text)
	return nil
}

func (all *dashboards) hasAny(cluster string) bool {
	all.lock.Lock()
	defer all.lock.Unlock()
	return len(all.written[cluster]) > 0
}

// last is the newest serve configuration; a dashboard knows the applications that it was given.
func (all *dashboards) last(cluster string) (names []string) {
	all.lock.Lock()
	defer all.lock.Unlock()
	found := all.written[cluster]
	if len(found) == 0 {
		return nil
	}
	var config struct {
		Applications []struct {
			Name string `json:"name"`
		} `json:"applications"`
	}
	if json.Unmarshal(found[len(found)-1], &config) != nil {
		return nil
	}
	for _, application := range config.Applications {
		names = append(names, application.Name)
	}
	return names
}

// dashboard is that of one cluster. What KubeRay never calls is KubeRay's own stand-in for tests.
type dashboard struct {
	utils.FakeRayDashboardClient
	all     *dashboards
	cluster string
	// waits for KubeRay to submit the job; in other modes somebody else does.
	waits bool
}

func (one *dashboard) UpdateDeployments(_ context.Context, config []byte) error {
	return one.all.write(one.cluster, json.RawMessage(config))
}

func (one *dashboard) GetServeDetails(context.Context) (*types.ServeDetails, error) {
	found := map[string]types.ServeApplicationDetails{}
	for _, name := range one.all.last(one.cluster) {
		found[name] = types.ServeApplicationDetails{
			ServeApplicationStatus: types.ServeApplicationStatus{Name: name, Status: stateOf(name)},
		}
	}
	return &types.ServeDetails{Applications: found}, nil
}

func (one *dashboard) GetMultiApplicationStatus(context.Context) (map[string]*types.ServeApplicationStatus, error) {
	found := map[string]*types.ServeApplicationStatus{}
	for _, name := range one.all.last(one.cluster) {
		found[name] = &types.ServeApplicationStatus{Name: name, Status: stateOf(name)}
	}
	return found, nil
}

func stateOf(application string) string {
	if state, found := applicationStates[application]; found {
		return state
	}
	return rayv1.ApplicationStatusEnum.RUNNING
}

func (one *dashboard) GetJobInfo(_ context.Context, id string) (*types.RayJobInfo, error) {
	if one.waits && !one.all.hasAny(one.cluster) {
		return nil, errors.NewBadRequest("no such job")
	}
	for start, state := range jobStates {
		if strings.HasPrefix(id, start) {
			// KubeRay waits for its submitter, but not for long after a job has ended.
			now := uint64(time.Now().UnixMilli())
			return &types.RayJobInfo{JobStatus: state, JobId: id, StartTime: 1, EndTime: now}, nil
		}
	}
	return &types.RayJobInfo{JobStatus: rayv1.JobStatusRunning, JobId: id, StartTime: 1}, nil
}

func (one *dashboard) SubmitJob(_ context.Context, job *rayv1.RayJob) (string, error) {
	request, err := dashboardclient.ConvertRayJobToReq(job)
	if err != nil {
		return "", err
	}
	return request.SubmissionId, one.all.write(one.cluster, request)
}
