"""The numbers that Vendramin, Campello and Hruschka (2010) print: hits (Fig. 9) and mean correlations (bottom bars).

Names are those of the suite "vendramin". Correlations are Pearson's with the Jaccard index. Fig. 14 comes without its
last mean; it follows from the printed difference to the first.
"""

from __future__ import annotations

FIG_9 = {
    "pbm": 400, "vrc": 395, "trace_w": 392, "ball_hall": 388, "gamma": 384, "dunn23": 381, "sswc": 379, "dunn33": 379,
    "swc": 375, "dunn53": 375, "c_index": 374, "dunn43": 373, "dunn21": 372, "dunn41": 372, "dunn51": 370,
    "dunn31": 370, "dunn42": 369, "dunn32": 369, "log_det_ratio": 367, "trace_cov_w": 366, "asswc": 365,
    "dunn52": 365, "dunn13": 365, "dunn63": 364, "dunn22": 362, "dunn61": 359, "g_plus": 359, "dunn62": 356,
    "dunn11": 355, "dunn12": 352, "aswc": 344, "point_biserial": 318, "ksq_detw": 313, "log_ss_ratio": 289, "db": 284,
    "mcclain_rao": 223, "c_sqrt_k": 205, "tau": 188, "det_ratio": 140, "trace_wib": 106,
}  # fmt: skip

FIG_10 = {
    "point_biserial": 0.959, "tau": 0.913, "c_sqrt_k": 0.733, "aswc": 0.712, "asswc": 0.697, "pbm": 0.670,
    "swc": 0.653, "sswc": 0.586, "dunn12": 0.569, "dunn62": 0.551, "dunn13": 0.471, "vrc": 0.404, "ball_hall": 0.393,
    "trace_w": 0.388, "db": 0.375, "log_det_ratio": 0.323, "trace_cov_w": 0.316, "ksq_detw": 0.314,
    "log_ss_ratio": 0.264, "dunn11": 0.254, "gamma": 0.230, "mcclain_rao": 0.223, "c_index": 0.191,
    "det_ratio": 0.137, "trace_wib": 0.122, "g_plus": -0.148,
}  # fmt: skip

FIG_13 = {
    "point_biserial": 0.944, "swc": 0.910, "sswc": 0.880, "aswc": 0.880, "c_sqrt_k": 0.871, "pbm": 0.865,
    "asswc": 0.860, "dunn22": 0.731, "dunn23": 0.713, "dunn62": 0.693, "db": 0.598, "vrc": 0.499, "dunn11": 0.417,
    "c_index": -0.236,
}  # fmt: skip

FIG_14 = {
    "point_biserial": 0.986, "swc": 0.909, "c_sqrt_k": 0.906, "aswc": 0.901, "pbm": 0.900, "asswc": 0.863,
    "sswc": 0.840, "vrc": 0.763, "dunn22": 0.610, "dunn23": 0.560, "dunn62": 0.506, "dunn11": 0.351, "db": 0.333,
    "c_index": 0.154,
}  # fmt: skip

FIG_15 = {
    "asswc": 0.788, "aswc": 0.762, "sswc": 0.759, "swc": 0.670, "pbm": 0.514, "db": 0.446, "c_index": 0.375,
    "vrc": 0.181, "point_biserial": 0.008, "c_sqrt_k": -0.193, "dunn11": -0.351, "dunn22": -0.374, "dunn23": -0.376,
    "dunn62": -0.399,
}  # fmt: skip

FIG_16 = {
    "point_biserial": 0.919, "asswc": 0.822, "aswc": 0.804, "sswc": 0.723, "swc": 0.651, "pbm": 0.477,
    "c_index": 0.315, "vrc": 0.280, "db": 0.278, "c_sqrt_k": -0.019, "dunn23": -0.295, "dunn22": -0.310,
    "dunn62": -0.343, "dunn11": -0.400,
}  # fmt: skip

FIG_17 = {
    "aswc": 0.837, "asswc": 0.833, "sswc": 0.800, "swc": 0.785, "point_biserial": 0.714, "pbm": 0.689, "vrc": 0.431,
    "db": 0.414, "c_sqrt_k": 0.391, "dunn22": 0.164, "c_index": 0.152, "dunn23": 0.151, "dunn62": 0.114,
    "dunn11": 0.004,
}  # fmt: skip

# The names of criteria as the study prints them.
PRINTED = {
    "vrc": "VRC", "db": "DB", "swc": "SWC", "aswc": "ASWC", "sswc": "SSWC", "asswc": "ASSWC", "pbm": "PBM",
    "c_index": "C-index", "gamma": "Gamma", "g_plus": "G(+)", "tau": "Tau", "point_biserial": "Point-biserial",
    "c_sqrt_k": "C/√k", "trace_w": "Trace(W) *", "trace_cov_w": "Trace(CovW) *", "trace_wib": "Trace(W⁻¹B) *",
    "det_ratio": "|T|/|W| *", "log_det_ratio": "N log(|T|/|W|) *", "ksq_detw": "k²|W| *",
    "log_ss_ratio": "log(SSB/SSW) *", "ball_hall": "Ball and Hall *", "mcclain_rao": "McClain and Rao *",
    **{f"dunn{u}{v}": f"Dunn{u}{v}" for u in range(1, 7) for v in range(1, 4)},
}  # fmt: skip
