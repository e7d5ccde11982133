. /tmp/wt/open.env
for s in 18307 34711 58218 88667 94798 90495 52077 65326 89896; do
/tmp/heavy nice -n 5 bash -c "/usr/bin/time -f '%U %M' winnable solve simple-simon --seed $s --max-seconds 60 --max-memory 4000 --json" 2>&1 | python -c "
import sys,json
for l in sys.stdin:
    l=l.strip()
    try:
        d=json.loads(l); print($s,{k:(len(v) if isinstance(v,list) else v) for k,v in d.items() if k not in('deal','columns')},flush=True)
    except Exception: print($s,l[:200],flush=True)
"
done
