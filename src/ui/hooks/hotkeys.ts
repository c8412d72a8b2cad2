import { useEffect, useSyncExternalStore } from 'react'

export interface Hotkey {
  /** 'mod+k' (Ctrl or ⌘), 'g d' (a sequence), 'j', '?', 'shift+x', 'up', 'enter'. */
  keys: string
  /** Label in the shortcuts list. */
  label: string
  /** Heading in the list: 'Go to', 'Lists', 'Patient', 'Everywhere'. */
  group: string
  run: (event: KeyboardEvent) => void
  /** Hidden in the list: an alternative key for the same action. */
  hidden?: boolean
}

const active: { hotkeys: readonly Hotkey[] }[] = []
const watchers = new Set<() => void>()
let listed: readonly Hotkey[] = []
let pending: { key: string; until: number } | null = null

const sequencePatience = 1200
const lettersKey = 'refyne.letter-keys'
const named: Record<string, string> = {
  arrowup: 'up',
  arrowdown: 'down',
  arrowleft: 'left',
  arrowright: 'right',
  escape: 'esc',
  ' ': 'space',
}

function changed() {
  listed = active.flatMap((entry) => entry.hotkeys).filter((hotkey) => !hotkey.hidden)
  for (const watch of watchers) watch()
}

function subscribe(watch: () => void) {
  watchers.add(watch)
  return () => watchers.delete(watch)
}

/**
 * Binds keys while the component is mounted. Letters are inactive inside fields, while a dialog or menu is open, and when the user turned
 * them off. The most recently mounted component wins. Pass a stable array (useMemo), or every render rebinds.
 */
export function useHotkeys(hotkeys: readonly Hotkey[], enabled = true): void {
  useEffect(() => {
    if (!enabled) return
    const entry = { hotkeys }
    if (active.push(entry) === 1) document.addEventListener('keydown', onKeyDown)
    changed()
    return () => {
      active.splice(active.indexOf(entry), 1)
      if (active.length === 0) document.removeEventListener('keydown', onKeyDown)
      changed()
    }
  }, [hotkeys, enabled])
}

/** All active shortcuts, for the shortcuts list. */
export function useActiveHotkeys(): readonly Hotkey[] {
  return useSyncExternalStore(subscribe, () => listed)
}

/** Whether letter keys are on, and a setter. Stored in this browser. */
export function useLetterKeys(): [on: boolean, setOn: (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, letterKeysOn)
  return [
    on,
    (next) => {
      if (next) localStorage.removeItem(lettersKey)
      else localStorage.setItem(lettersKey, 'off')
      changed()
    },
  ]
}

function letterKeysOn(): boolean {
  return localStorage.getItem(lettersKey) !== 'off'
}

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing) return
  const mod = event.ctrlKey || event.metaKey
  if (!mod && !event.altKey && (inField(event.target) || layerIsOpen() || !letterKeysOn())) return
  if (mod && dialogIsModal()) return

  const pressed = nameOf(event, mod)
  if (!pressed || ownsKey(event.target, pressed) || (pressed === 'mod+a' && inField(event.target))) return
  const sequence = pending && pending.until > event.timeStamp ? `${pending.key} ${pressed}` : null
  pending = null

  const hotkey = (sequence && find(sequence)) || find(pressed)
  if (hotkey) {
    event.preventDefault()
    hotkey.run(event)
    return
  }
  if (active.some((entry) => entry.hotkeys.some(({ keys }) => keys.startsWith(`${pressed} `)))) {
    pending = { key: pressed, until: event.timeStamp + sequencePatience }
  }
}

function find(keys: string): Hotkey | undefined {
  for (const entry of active.toReversed()) {
    const hotkey = entry.hotkeys.find((candidate) => candidate.keys === keys)
    if (hotkey) return hotkey
  }
  return undefined
}

function nameOf(event: KeyboardEvent, mod: boolean): string | null {
  if (event.altKey || event.key === 'Shift' || event.key === 'Control' || event.key === 'Meta') return null
  const key = event.key.toLowerCase()
  const name = named[key] ?? key
  // '?' and similar keys require Shift; for a letter it makes a different key.
  const shift = event.shiftKey && (name.length > 1 || /[a-z]/.test(name))
  return `${mod ? 'mod+' : ''}${shift ? 'shift+' : ''}${name}`
}

function inField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTick(target)
}

/** Enter and space on a button or link activate it, whatever else they are bound to. */
function ownsKey(target: EventTarget | null, pressed: string): boolean {
  if (pressed !== 'enter' && pressed !== 'space') return false
  return target instanceof Element && target.closest('a[href], button, summary, [role="button"], [role="tab"]') !== null
}

function isTick(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && /^(checkbox|radio|button|submit)$/.test(target.type)
}

function layerIsOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]:not([data-static])') !== null
}

function dialogIsModal(): boolean {
  return document.querySelector('[role="dialog"][data-state="open"]:not([data-command-palette])') !== null
}
