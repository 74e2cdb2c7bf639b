import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from "kysely";

/** Columns of money: whole nano-units that may be larger than a number is exact. */
const MONEY = /_nanos$/;

/**
 * Both drivers give whole numbers as `bigint`. Columns whose name ends in `_nanos` stay so; the others become numbers.
 * Throws RangeError instead of rounding.
 */
export class WholeNumbersPlugin implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    for (const row of result.rows) narrowRow(row);
    return result;
  }
}

function narrowRow(row: UnknownRow): void {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "bigint" && !MONEY.test(name)) row[name] = narrow(name, value);
  }
}

function narrow(name: string, value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${name} is ${value}, which a number cannot hold exactly`);
  return number;
}
