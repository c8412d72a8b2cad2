import { Dialog, DialogBody } from '../../../ui/overlays/Dialog.tsx'
import { useActiveHotkeys, useLetterKeys, type Hotkey } from '../../../ui/hooks/hotkeys.ts'
import { Keys } from '../../../ui/display/Kbd.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'

const firstGroups = ['Everywhere', 'Go to']

/** Lists the keys of the page it was opened from. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const hotkeys = useActiveHotkeys()
  const [letters, setLetters] = useLetterKeys()
  const groups = Map.groupBy(unique(hotkeys), (hotkey) => hotkey.group)
  const names = [...firstGroups.filter((name) => groups.has(name)), ...[...groups.keys()].filter((name) => !firstGroups.includes(name))]
  return (
    <Dialog onClose={onClose} title="Shortcuts" size="md">
      <DialogBody>
        <div className="columns-1 gap-8 md:columns-2">
          {names.map((name) => (
            <section key={name} className="break-inside-avoid pb-5">
              <h3 className="pb-1 text-xs font-medium tracking-normal text-fg-3">{name}</h3>
              <ul>
                {(groups.get(name) ?? []).map((hotkey) => (
                  <li key={hotkey.keys} className="flex h-8 items-center justify-between gap-4 text-sm">
                    {hotkey.label}
                    <Keys keys={hotkey.keys} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </DialogBody>
      <div data-foot className="flex-none border-t border-line p-4 md:px-6">
        <Switch
          checked={letters}
          onCheckedChange={setLetters}
          hint="Off, only keys together with Ctrl or Cmd work. Letters never act inside a field."
        >
          Single-key shortcuts
        </Switch>
      </div>
    </Dialog>
  )
}

/** The last command wins when several share the same keys. */
function unique(hotkeys: readonly Hotkey[]): Hotkey[] {
  return [...new Map(hotkeys.map((hotkey) => [hotkey.keys, hotkey])).values()]
}
