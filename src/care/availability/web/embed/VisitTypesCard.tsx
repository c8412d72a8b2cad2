import { useQueryClient } from '@tanstack/react-query'
import { CalendarClock, ChevronDown, ChevronUp, Plus } from 'lucide-react'
import { useState } from 'react'
import { useDirectory } from '../../../../crm/contacts/web/embed/useDirectory.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyField } from '../../../../ui/controls/CopyField.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { OpenRow } from '../../../../ui/display/OpenRow.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { typeLabels } from '../../../appointments/web/embed/labels.ts'
import { formatPeople, formatDeposit } from '../availability-labels.ts'
import { useLiveAvailability, useVisitTypes, type VisitTypeData } from './useAvailability.ts'

const VisitTypeDialog = lazyDialog(
  () => import('../visit-type/VisitTypeDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** Settings, Visit types: what can be booked, in the order in which it is offered. */
export function VisitTypesCard() {
  const visitTypes = useVisitTypes()
  useLiveAvailability()
  const cache = useQueryClient()
  const mayChange = usePermission()('availability.addVisitType')
  /** 'new' to add one. */
  const [open, setOpen] = useState<VisitTypeData | 'new' | null>(null)
  const addButton = mayChange && (
    <Button icon={<Plus />} onPointerEnter={VisitTypeDialog.prepare} onClick={() => setOpen('new')}>
      Add visit type
    </Button>
  )

  async function move(list: readonly VisitTypeData[], index: number, by: 1 | -1) {
    const ids = list.map(({ id }) => id)
    ;[ids[index], ids[index + by]] = [ids[index + by]!, ids[index]!]
    try {
      cache.setQueryData(orpc.availability.visitTypes.queryKey(), await client.availability.orderVisitTypes({ ids }))
    } catch (error) {
      toast.error('The order was not changed', messageOf(error))
    }
  }

  return (
    <Section id="visit-types" title="Visit types" actions={visitTypes.data && visitTypes.data.length > 0 && addButton}>
      <Asked query={visitTypes} failed="Couldn’t load the visit types">
        {(list) => {
          const active = list.filter(({ isActive }) => isActive)
          return list.length > 0 ? (
            <>
              <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
                Choosing a visit type when booking sets the duration, and finds who and which room is free.
                {!mayChange && ' Administrators can change them.'}
              </p>
              <ul aria-label="Visit types" className="-mx-2 pt-2">
                {list.map((one, index) => (
                  <li key={one.id} className="flex items-center">
                    {mayChange ? (
                      <>
                        <OpenRow
                          onPointerEnter={VisitTypeDialog.prepare}
                          onFocus={VisitTypeDialog.prepare}
                          onClick={() => setOpen(one)}
                          hasChevron={false}
                        >
                          <VisitTypeLine visitType={one} />
                        </OpenRow>
                        {one.isActive && active.length > 1 && (
                          <span className="flex flex-none">
                            <IconButton
                              label={`Move ${one.name} up`}
                              size="sm"
                              icon={<ChevronUp />}
                              disabled={index === 0}
                              onClick={() => void move(active, index, -1)}
                            />
                            <IconButton
                              label={`Move ${one.name} down`}
                              size="sm"
                              icon={<ChevronDown />}
                              disabled={index === active.length - 1}
                              onClick={() => void move(active, index, 1)}
                            />
                          </span>
                        )}
                      </>
                    ) : (
                      <div className="flex min-h-11 min-w-0 flex-1 items-center gap-3 px-2 py-1.5">
                        <VisitTypeLine visitType={one} />
                      </div>
                    )}
                  </li>
                ))}
              </ul>
              {active.some(({ isOnline }) => isOnline) && <BookingPageLinks />}
            </>
          ) : (
            <EmptyState icon={<CalendarClock />} title="No visit types yet" actions={addButton || undefined}>
              Add the visits that patients book, with their duration, providers and rooms. Booking then finds who is free.
              {!mayChange && ' Administrators can add them.'}
            </EmptyState>
          )
        }}
      </Asked>
      {open && <VisitTypeDialog visitType={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  )
}

/** Where patients book themselves. */
function BookingPageLinks() {
  const page = `${location.origin}/book`
  return (
    <div className="flex max-w-[60ch] flex-col gap-3 pt-5">
      <h3 className="text-md font-semibold">Booking page</h3>
      <CopyField label="Link" value={page}>
        Patients book the visits marked Self-booking there, without a call.
      </CopyField>
      <CopyField label="For your website" value={`<script src="${page}.js" async></script>`}>
        Shows the booking page within a page of your website. An administrator of the server lists the website in BOOKING_SITES first.
      </CopyField>
    </div>
  )
}

function VisitTypeLine({ visitType }: { visitType: VisitTypeData }) {
  const { people } = useDirectory()
  const { name, type, minutes, bufferBefore, bufferAfter, providerIds, isOnline, isActive } = visitType
  const buffer = bufferBefore + bufferAfter
  const facts = [
    typeLabels[type],
    `${minutes} min${buffer > 0 ? ` + ${buffer} min buffer` : ''}`,
    formatPeople(providerIds, people),
    formatDeposit(visitType),
  ]
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className={`block truncate text-md font-medium ${isActive ? 'text-fg' : 'text-fg-3'}`}>{name}</span>
        <span className="block truncate text-sm text-fg-3">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {!isActive ? <Badge>Inactive</Badge> : isOnline && <Badge>Self-booking</Badge>}
    </>
  )
}
