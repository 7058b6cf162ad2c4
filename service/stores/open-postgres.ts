import { StoreOpenError } from '../store.ts';
import { Database } from './postgres-connection.ts';
import { PostgresStore } from './postgres.ts';

const DEFAULT_PARTITIONS = 8;

/** `postgres://[USER:PASSWORD@]HOST[:PORT]/DATABASE[?sslmode=…&partitions=N]`. @throws {StoreOpenError} */
export async function openPostgres(text: string): Promise<PostgresStore> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new StoreOpenError(
      'The URL of the store cannot be read: write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with %40 for @ and %2F for / in the password.',
    );
  }
  const asked = url.searchParams.get('partitions');
  const partitions = Number(asked ?? DEFAULT_PARTITIONS);
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > 256)
    throw new StoreOpenError('"partitions" in the URL of the store must be a whole number from 1 to 256.');
  url.searchParams.delete('partitions');
  const database = await Database.open(url);
  try {
    return await new PostgresStore(database, partitions).load();
  } catch (error) {
    await database.close();
    throw error;
  }
}
