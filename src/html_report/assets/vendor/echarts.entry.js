// The parts of Apache ECharts that reports draw with.
import { BarChart, HeatmapChart, LineChart, ScatterChart } from "echarts/charts";
import {
  AriaComponent,
  DataZoomComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, HeatmapChart, LineChart, ScatterChart, SVGRenderer]);
use([AriaComponent, DataZoomComponent, GridComponent, LegendComponent]);
use([MarkLineComponent, TitleComponent, TooltipComponent, VisualMapComponent]);
window.echarts = { init };
