import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../../../ui/display/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { OpenRow } from '../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../ui/display/Section.tsx'
import { type LocationData, useLocations } from '../../../platform/practice/web/embed/usePractice.ts'
import type { SettingsData } from './practice-draft.ts'

const LocationDialog = lazyDialog(
  () => import('./LocationDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The practice's locations. While there is only one, no other screen shows it. */
export function Locations({ settings: { set, otherwise } }: { settings: SettingsData }) {
  const locations = useLocations()
  /** 'new' to add a location. */
  const [open, setOpen] = useState<LocationData | 'new' | null>(null)
  const practice = { address: set.address ?? otherwise.address ?? '', phone: set.phone ?? otherwise.phone ?? '' }
  return (
    <Section
      id="locations"
      title="Locations"
      actions={
        <Button icon={<Plus />} onPointerEnter={LocationDialog.prepare} onClick={() => setOpen('new')}>
          Add location
        </Button>
      }
    >
      <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
        Each room belongs to one location. Patients are sent the address of their room. All locations use the practice’s time zone.
      </p>
      <Asked query={locations} failed="Couldn’t load the locations">
        {(list) => (
          <ul aria-label="Locations" className="-mx-2 pt-2">
            {list.map((location) => (
              <li key={location.id}>
                <OpenRow onPointerEnter={LocationDialog.prepare} onFocus={LocationDialog.prepare} onClick={() => setOpen(location)}>
                  <span className="min-w-0 flex-1">
                    <span className={`block truncate text-md font-medium ${location.isActive ? 'text-fg' : 'text-fg-3'}`}>
                      {location.name}
                    </span>
                    <span className="block text-sm wrap-anywhere text-fg-3">
                      {[location.address ?? practice.address, location.phone].filter(Boolean).join(' · ') || 'No address'}
                    </span>
                  </span>
                  {!location.isActive && <Badge>Inactive</Badge>}
                </OpenRow>
              </li>
            ))}
          </ul>
        )}
      </Asked>
      {open && <LocationDialog location={open === 'new' ? null : open} practice={practice} onClose={() => setOpen(null)} />}
    </Section>
  )
}
