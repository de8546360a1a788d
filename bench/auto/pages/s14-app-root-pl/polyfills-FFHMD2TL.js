globalThis.__zone_symbol__load=()=>{};
