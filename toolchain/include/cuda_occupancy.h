/* NVIDIA's reckoning of occupancy by properties of a device. Thrust includes it and uses nothing of it; programs ask
   cudaOccupancyMaxActiveBlocksPerMultiprocessor() and its like. */
#pragma once
