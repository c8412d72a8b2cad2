import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ImageUp, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { type ContactData, fullName } from '../../../../crm/contacts/web/embed/contact-data.ts'
import { client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Avatar } from '../../../../ui/display/Avatar.tsx'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { portraitMessages } from '../../contract.ts'
import { shrinkPicture } from '../shrink-picture.ts'

/** The patient's portrait, or initials. Those who may change it get a menu. */
export function PatientPortrait({ contact }: { contact: ContactData }) {
  const may = usePermission()
  const cache = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const isAllowed = may('portraits.get')
  const asked = { input: { contactId: contact.id } }
  const query = useQuery(orpc.portraits.get.queryOptions({ ...asked, enabled: isAllowed }))
  useLive(['contact'], (ids) => {
    if (isAllowed && ids?.has(contact.id) !== false) void query.refetch()
  })
  const portrait = query.data?.portrait ?? null
  const avatar = (
    <Avatar
      kind="patient"
      size="xl"
      firstName={contact.firstName}
      lastName={contact.lastName}
      image={portrait && `data:image/webp;base64,${portrait.image}`}
      className={isBusy ? 'opacity-50' : undefined}
    />
  )
  if (!may('portraits.set')) return avatar

  async function change(done: string, call: () => Promise<{ portrait: typeof portrait }>) {
    setBusy(true)
    try {
      cache.setQueryData(orpc.portraits.get.queryKey(asked), await call())
      toast.success(done)
    } catch (error) {
      toast.error('The portrait was not changed', messageOf(error))
    }
    setBusy(false)
  }
  async function send(file: File) {
    const image = await shrinkPicture(file)
    if (image === null) return void toast.error('The portrait was not changed', portraitMessages.unreadable)
    await change('Portrait saved', () => client.portraits.set({ contactId: contact.id, image }))
  }
  return (
    <>
      <DropdownMenu
        align="start"
        trigger={
          <button
            type="button"
            aria-label={`Portrait of ${fullName(contact)}`}
            aria-busy={isBusy}
            disabled={isBusy}
            className="flex-none cursor-pointer rounded-full"
          >
            {avatar}
          </button>
        }
      >
        <MenuItem icon={<ImageUp />} onSelect={() => input.current?.click()}>
          {portrait ? 'Change portrait' : 'Add portrait'}
        </MenuItem>
        {portrait && (
          <MenuItem
            icon={<Trash2 />}
            danger
            onSelect={() => void change('Portrait removed', () => client.portraits.remove({ contactId: contact.id }))}
          >
            Remove portrait
          </MenuItem>
        )}
      </DropdownMenu>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Picture"
        accept="image/jpeg,image/png,image/webp"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void send(file)
          // So that choosing the same file again counts.
          target.value = ''
        }}
      />
    </>
  )
}
