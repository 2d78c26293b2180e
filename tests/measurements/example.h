// A recording that no GPU made: its numbers are invented for tests.
#pragma once

inline constexpr const char* example_recording =
    "# FlashScope recording 1\n"
    "# device: Example H200\n"
    "# gpu: h200\n"
    "# driver: 1.2.3\n"
    "# software: CUDA 13.0\n"
    "# date: 2026-01-02T03:04:05Z\n"
    "# command: flashscope bench --scenarios default\n"
    "# commit: 0123456789ab\n"
    "kernel,algorithm,pass,batch,heads,kv-heads,seqlen-q,seqlen-k,head-dim,dtype,causal,window,padding,dropout,br,bc,"
    "splits,pattern,seqlens,issue,prefix,softcap,alibi,sink,page-size,partition,caches,quantity,"
    "unit,value,low,high,runs,sm_mhz,watts\n"
    "flash2_mma,flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,,,,cold,time,us,20.5,20.1,21.25,30,1755,402.5\n"
    "flash2_mma,flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,,,,warm,time,us,19.5,19.1,20.25,30,1755,402.5\n"
    "flash2_mma,flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,,,,cold,dram__bytes_read.sum,byte,200000,200000,"
    "200000,"
    "1,,"
    "\n"
    "pytorch-flash,flash2,forward,1,2,2,256,256,64,fp16,1,,0,0,,,,,,,,,,,,,warm,time,us,18.5,18.1,19.25,30,,\n"
    "matmul,,,,,,,,,fp16,,,,,,,,,,,,,,,,,,matmul,TFLOP/s,780.5,778,785,20,1500,690\n";
