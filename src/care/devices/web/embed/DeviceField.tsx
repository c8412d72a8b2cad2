import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { Input } from '../../../../ui/controls/Input.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Field } from '../../../../ui/forms/Field.tsx'
import { useDebounced } from '../../../../ui/hooks/useDebounced.ts'
import type { Device } from '../../contract.ts'
import { deviceName } from '../../rules.ts'

interface DeviceFieldProps {
  device: Device | null
  error: string | undefined
  onChoose: (device: Device) => void
  /** Whether it was chosen before. */
  isFixed?: boolean
}

/** Chooses a device of the catalogue by its name. */
export function DeviceField({ device, error, onChoose, isFixed = false }: DeviceFieldProps) {
  const [term, setTerm] = useState('')
  const search = useDebounced(term, 300).trim()
  const found = useQuery(orpc.devices.list.queryOptions({ input: { search: search || undefined, limit: 20 }, enabled: !isFixed }))
  const options = (found.data?.data ?? []).map((one) => ({ value: one.id, label: deviceName(one) }))
  if (isFixed && device) return <Field label="Device">{<Input value={deviceName(device)} readOnly />}</Field>
  return (
    <Field label="Device" error={error}>
      <div className="flex flex-col gap-2 sm:flex-row">
        <Input
          value={term}
          onChange={({ target }) => setTerm(target.value)}
          placeholder="Search the catalogue"
          aria-label="Search the catalogue"
          maxLength={100}
          className="sm:w-44"
        />
        <Select
          className="min-w-0 sm:flex-1"
          value={device?.id ?? null}
          onValueChange={(id) => {
            const chosen = found.data?.data.find((one) => one.id === id)
            if (chosen) onChoose(chosen)
          }}
          placeholder={found.isFetching ? 'Loading…' : options.length === 0 ? 'No device matches' : 'Choose a device'}
          options={
            device && !options.some(({ value }) => value === device.id)
              ? [{ value: device.id, label: deviceName(device) }, ...options]
              : options
          }
        />
      </div>
    </Field>
  )
}
