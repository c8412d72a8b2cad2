import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const implantTables = {
  surgery_devices: {
    owner: { table: 'surgeries', column: 'surgery_id' },
    deletion: 'with-owner',
    export: {
      row: sql`to_jsonb(mine) || (select jsonb_build_object('maker', device.maker, 'model', device.model, 'size', device.size, 'udi_di', device.udi_di,
          'lot', lot.lot, 'expires_on', lot.expires_on)
        from device_lots as lot join devices as device on device.id = lot.device_id where lot.id = mine.lot_id)`,
    },
  },
} satisfies Partial<PatientTables>
