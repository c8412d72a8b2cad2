import { useEffect, useMemo, useRef } from 'react'
import { type Hotkey, useHotkeys } from './hotkeys.ts'

/** Binds one key of the patient page to the component's current handler. */
export function useKey(keys: string, label: string, run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useHotkeys(useMemo<Hotkey[]>(() => [{ keys, label, group: 'Patient', run: () => latest.current() }], [keys, label]))
}
