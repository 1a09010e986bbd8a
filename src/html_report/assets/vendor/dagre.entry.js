// The layered layout of control-flow graphs.
import { graphlib, layout } from "@dagrejs/dagre";

window.dagre = { Graph: graphlib.Graph, layout };
